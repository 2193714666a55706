-- Copies of the journals of runs, to be read from anywhere. The truth of a run stays on its machine.

-- A piece of a journal: convert_from(lines, 'UTF8') shows it. Most are whole lines; a long line is several.
create table ralph.journals (
  fleet text not null references ralph.fleets on delete cascade,
  run text not null check (octet_length(run) between 1 and 200),
  -- Its first byte in the journal.
  at bigint not null check (at >= 0),
  lines bytea not null check (octet_length(lines) between 1 and 65536),
  primary key (fleet, run, at)
);

-- How many bytes of a journal are here.
create function ralph.mirrored(p_fleet text, p_run text) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((
    select j.at + octet_length(j.lines) from ralph.journals j where j.fleet = p_fleet and j.run = p_run order by j.at desc limit 1
  ), 0);
$$;

-- Appends to the copy if it ends at `p_at`, and says where it ends then. Null: the session of that run is over.
create function ralph.mirror(p_fleet text, p_session text, p_run text, p_at bigint, p_lines bytea) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not ralph.lives(p_fleet, p_session)
    or not exists (select 1 from ralph.sessions s where s.fleet = p_fleet and s.id = p_session and s.run = p_run) then
    return null;
  end if;
  if p_at = ralph.mirrored(p_fleet, p_run) then
    insert into ralph.journals (fleet, run, at, lines) values (p_fleet, p_run, p_at, p_lines) on conflict do nothing;
  end if;
  return ralph.mirrored(p_fleet, p_run);
end;
$$;

revoke all on function ralph.mirrored(text, text) from public;
revoke all on function ralph.mirror(text, text, text, bigint, bytea) from public;
