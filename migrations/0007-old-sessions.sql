-- Sessions that are over are kept for thirty days, a thousand of them at most; with the last session of a run goes the copy of its journal.
-- A register whose session is gone was written by one that is over.

create index sessions_of_runs on ralph.sessions (fleet, run);

create function ralph.forget_old(p_fleet text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone text[];
begin
  -- Whoever else begins at the same time does it.
  if not pg_try_advisory_xact_lock(7254332, hashtext(p_fleet)) then
    return;
  end if;
  with over_now as (
    select s.id, coalesce(s.ended_at, s.lease_until) as since, row_number() over (order by s.started_at desc) as nth
    from ralph.sessions s where s.fleet = p_fleet and (s.ended_at is not null or s.lease_until <= clock_timestamp())
  ), deleted as (
    delete from ralph.sessions s using over_now o
    where s.fleet = p_fleet and s.id = o.id and (o.nth > 1000 or o.since < clock_timestamp() - interval '30 days')
    returning s.run
  )
  select array_agg(distinct d.run) into gone from deleted d;
  delete from ralph.journals j
  where j.fleet = p_fleet and j.run = any(gone) and not exists (select 1 from ralph.sessions s where s.fleet = p_fleet and s.run = j.run);
end;
$$;
revoke all on function ralph.forget_old(text) from public;

-- As before, and nobody has to tidy up.
create or replace function ralph.begin(p_fleet text, p_session text, p_run text, p_host text, p_about jsonb) returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform ralph.forget_old(p_fleet);
  return query insert into ralph.sessions (fleet, id, run, host, about, lease_until)
  select f.id, p_session, p_run, p_host, p_about, clock_timestamp() + make_interval(secs => f.lease_ms / 1000.0)
  from ralph.fleets f where f.id = p_fleet
  on conflict do nothing returning id;
end;
$$;

-- A value without what only its next holder needs; null for one that nobody looks at, nothing for one that cannot be read.
create function ralph.brief(p_value text) returns text
language plpgsql immutable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v jsonb;
begin
  if p_value ~ '^\{"state":"(done|free)"' then
    return null;
  elsif octet_length(p_value) < 2000 then
    return p_value;
  end if;
  v := p_value::jsonb - 'answers';
  return jsonb_set(v, '{feedback}', to_jsonb(left(coalesce(v ->> 'feedback', ''), 1000)))::text;
exception when others then
  return '';
end;
$$;
revoke all on function ralph.brief(text) from public;

-- So that a look at a fleet reads no whole values.
alter table ralph.registers
  add column state text generated always as (substring(value from '^\{"state":"([a-z]+)"')) stored,
  add column brief text generated always as (ralph.brief(value)) stored;
create index registers_taken on ralph.registers (fleet, written_at, name) where brief is not null;
