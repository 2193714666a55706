-- Tells idle workers that a task has changed. Only a hint: whoever does not hear it looks again a little later.
create function ralph.hint() returns trigger language plpgsql as $$
begin
  if new.name like 'task/%' and new.value not like '{"state":"held"%' then
    perform pg_notify('ralph', new.fleet);
  end if;
  return null;
end;
$$;
create trigger hint after insert or update on ralph.registers for each row execute function ralph.hint();
