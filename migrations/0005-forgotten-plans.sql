-- The branch on which the fleet works off the plan. Locks the plan, so that it is not forgotten meanwhile: whoever waited for that decides anew.
create or replace function ralph.join_plan(p_fleet text, p_path text, p_base text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found_base text;
begin
  loop
    insert into ralph.plans (fleet, path, base) values (p_fleet, p_path, p_base) on conflict do nothing;
    select p.base into found_base from ralph.plans p where p.fleet = p_fleet and p.path = p_path for share;
    if found then
      return found_base;
    end if;
  end loop;
end;
$$;

-- As before, whatever a worker has said of itself.
create or replace function ralph.budget(p_fleet text) returns table (limit_usd numeric, spent_usd numeric, reserved_usd numeric, reservations bigint, workers bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.budget_usd,
    (select coalesce(sum(c.spent_usd), 0) from ralph.costs c where c.fleet = f.id and c.settled_at >= f.budget_since),
    coalesce(open.usd, 0), coalesce(open.count, 0),
    (select coalesce(sum(case when jsonb_typeof(s.about -> 'workers') = 'number' then least(1000, greatest(1, (s.about ->> 'workers')::numeric))::int else 1 end), 0)
     from ralph.sessions s where s.fleet = f.id and s.ended_at is null and s.lease_until > clock_timestamp())
  from ralph.fleets f left join lateral (
    select sum(c.reserved_usd) as usd, count(*) as count
    from ralph.costs c join ralph.sessions s on s.fleet = c.fleet and s.id = c.session
    where c.fleet = f.id and c.spent_usd is null and s.ended_at is null and s.lease_until > clock_timestamp()
  ) open on true
  where f.id = p_fleet;
$$;
