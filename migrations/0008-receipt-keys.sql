-- The public halves of the keys with which workers sign receipts, so that a receipt can be checked anywhere.
create table ralph.receipt_keys (
  fleet text not null references ralph.fleets on delete cascade,
  public_key text not null check (octet_length(public_key) <= 1000),
  -- Of the first worker that had it.
  host text not null,
  added_at timestamptz not null default clock_timestamp(),
  primary key (fleet, public_key)
);

create function ralph.add_key(p_fleet text, p_session text, p_public_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into ralph.receipt_keys (fleet, public_key, host)
  select s.fleet, p_public_key, left(s.host, 300) from ralph.sessions s
  where s.fleet = p_fleet and s.id = p_session and ralph.lives(p_fleet, p_session)
  on conflict do nothing;
$$;
revoke all on function ralph.add_key(text, text, text) from public;
