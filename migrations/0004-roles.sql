-- Workers and readers need no rights on tables: workers write by functions that check the session and the number, and nothing else can.

-- A process becomes a session, once. No row: it was one before.
create function ralph.begin(p_fleet text, p_session text, p_run text, p_host text, p_about jsonb) returns setof text language sql as $$
  insert into ralph.sessions (fleet, id, run, host, about, lease_until)
  select f.id, p_session, p_run, p_host, p_about, clock_timestamp() + make_interval(secs => f.lease_ms / 1000.0)
  from ralph.fleets f where f.id = p_fleet
  on conflict do nothing returning id;
$$;

create function ralph.finish(p_fleet text, p_session text) returns void language sql as $$
  update ralph.sessions s set ended_at = clock_timestamp()
  where s.fleet = p_fleet and s.id = p_session and s.ended_at is null and s.lease_until > clock_timestamp();
$$;

-- The branch on which the fleet works off the plan.
create function ralph.join_plan(p_fleet text, p_path text, p_base text) returns text language plpgsql as $$
begin
  insert into ralph.plans (fleet, path, base) values (p_fleet, p_path, p_base) on conflict do nothing;
  return (select p.base from ralph.plans p where p.fleet = p_fleet and p.path = p_path);
end;
$$;

do $$
declare
  f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'ralph' loop
    execute format('alter function %s security definer set search_path = pg_catalog, pg_temp', f);
    execute format('revoke all on function %s from public', f);
  end loop;
end;
$$;
