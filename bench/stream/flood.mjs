// An agent that prints the given number of megabytes of typical stream-json, then a good result.
const megabytes = Number(process.argv[2]);
const output = 'line of a tool result with some text in it\\n'.repeat(90);
const line = (n) =>
  n % 2 === 0
    ? `{"type":"assistant","message":{"id":"m${n}","model":"m","content":[{"type":"tool_use","id":"t${n}","name":"Bash","input":{"command":"cat file-${n}.txt"}}],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s","uuid":"u${n}"}\n`
    : `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t${n - 1}","content":"${output}"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u${n}"}\n`;

const block = Array.from({ length: 256 }, (_, n) => line(n)).join('');
const blocks = Math.ceil((megabytes * 1024 * 1024) / block.length);
const ending =
  '{"type":"result","subtype":"success","is_error":false,"result":"All read.","total_cost_usd":0.5,"usage":{"input_tokens":1,"output_tokens":1},"session_id":"s"}\n';

process.stdin.resume();
process.stdout.on('error', () => process.exit(1));
let written = 0;
const write = () => {
  while (written < blocks) {
    written += 1;
    if (!process.stdout.write(block)) return process.stdout.once('drain', write);
  }
  process.stdout.end(ending, () => process.exit(0));
};
write();
