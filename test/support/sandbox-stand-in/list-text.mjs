/** What `ls` says, in one of the shapes it had. */
export function listText({ program, machines, switches }, asJson) {
  if (switches.emptyLists > 0) {
    machines.setSwitch('emptyLists', switches.emptyLists - 1);
    return '';
  }
  const rows = machines.all().map(({ name, agent, status, workspaces, readOnly }) => ({
    name,
    agent,
    status,
    workspaces: [...workspaces, ...readOnly.map((path) => `${path}:ro`)],
  }));
  const noise = switches.noise ? 'Starting sandboxd daemon...\nDaemon started (PID: 1, socket: /run/sandboxd.sock)\n' : '';
  if (!asJson) return `${noise}${table(program, rows)}`;
  const shape = switches.listShape ?? (program === 'sbx' ? 'sandboxes' : 'vms');
  return `${noise}${JSON.stringify(shape === 'array' ? rows : { [shape]: rows }, null, 2)}`;
}

function table(program, rows) {
  if (rows.length === 0) return 'No sandboxes found';
  const line =
    program === 'sbx' ? (row) => [row.name, row.agent, row.status, '', row.workspaces[0]] : (row) => ['abc123def', row.name, row.status, row.workspaces[0]];
  const head = program === 'sbx' ? ['SANDBOX', 'AGENT', 'STATUS', 'PORTS', 'WORKSPACE'] : ['VM ID', 'NAME', 'STATUS', 'WORKSPACE'];
  const cells = [head, ...rows.map(line)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => String(row[column]).length)) + 2);
  return cells
    .map((row) =>
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
