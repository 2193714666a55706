/** How many characters may separate two parts of one action in code. */
const NEAR = 240;

/** Runs a text as code or as a command. A method `exec` usually belongs to a regular expression, so it counts only on `child_process`. */
const RUNS_TEXT =
  /(?<![\w.])(exec|eval|compile|execfile|instance_eval|class_eval|assert|create_function)\b|\bnew Function\b|\bFunction\s*\(|runIn\w*Context|\b(system|popen|execSync|spawnSync|spawn|shell_exec|passthru|proc_open|subprocess)\b|child_process['"]?\)?\.exec|pickle\.loads|marshal\.loads|\.then\(\s*eval/g;
const DECODES =
  /b64decode|base64|fromhex|unhexlify|\batob\b|codecs\.decode|zlib|marshal|rot_?13|\bchr\s*\(|fromCharCode|\bunpack1?\b|\bpack\s*\(|decode64|gzinflate|\[::-1\]|\.reverse\b|\breverse\s*\(|\\x[\da-f]{2}\\x[\da-f]{2}/i;
const FETCHES =
  /urlopen|requests\.(get|post)|urllib|https?['"]?\)?\.(get|request)|\bfetch\s*\(|open-uri|URI\.open|LWP|\bget\s*\(?\s*['"]https?:|file_get_contents\s*\(\s*['"]https?:|Net::HTTP|curl_exec|axios|HTTP::Tiny|httpx/;

const nearAny = (code: string, first: RegExp, then: RegExp) =>
  [...code.matchAll(first)].slice(0, MOST_PLACES).some(({ index }) => then.test(code.slice(Math.max(index - NEAR, 0), index + NEAR)));
const MOST_PLACES = 50;

const LOOKS_UP =
  /getattr\s*\(\s*(os|__import__|subprocess|builtins|__builtins__)|__import__\s*\(\s*['"]\w*['"]\s*\+|(globalThis|global|process|require)\s*\[\s*['"]\w+['"]\s*\+/;

/** Whether code runs a text that it decodes. */
export const runsDecoded = (code: string): boolean => LOOKS_UP.test(code) || nearAny(code, RUNS_TEXT, DECODES);

/** Whether code runs what it downloads. */
export const runsFetched = (code: string): boolean => nearAny(code, RUNS_TEXT, FETCHES);

const NEARBY = /localhost|127\.0\.0\.1|::1\b/;
const CONNECTS =
  /\bTCP(Socket|Server)\b|fsockopen|stream_socket|net['"]?\)?\.(connect|createConnection|createServer|Socket)|IO::Socket|create_connection|pfsockopen|Socket\.tcp/i;
const USES_A_SOCKET = /\.(connect|bind|listen|accept)\b|\bSOCK_STREAM/;
const GIVES =
  /dup2|pty\.spawn|\/bin\/\w*sh\b|STDIN->fdopen|`|\b(exec\w*|system|popen|spawn\w*|shell_exec|passthru|proc_open|subprocess|qx|Open3)\b|['"](ba|z|da)?sh['"]/;

/** Whether code gives a shell to another machine. */
export const givesAShell = (code: string): boolean =>
  (CONNECTS.test(code) || (/\bsocket\b/i.test(code) && USES_A_SOCKET.test(code))) && GIVES.test(code) && !NEARBY.test(code);

const SENDS =
  /requests\.(post|put)|urlopen\([^)]{0,200}data|smtplib|ftplib|axios\.(post|put)|fetch\([^)]{0,200}(POST|PUT)|Net::HTTP\.post|file_get_contents\([^)]{0,200}POST|method:\s*['"](POST|PUT)|(\.|->)(post|put)\w*\s*\(\s*['"]https?:/;
const READS_A_FILE = /readFileSync\s*\(|File\.read\b|open\(\s*['"][^'"]+['"]\s*\)\s*\.read|read_(text|bytes)\s*\(|file_get_contents\s*\(\s*['"](?!https?:)/;
const ASKS = /https?['"]?\)?\.(get|request)\s*\(|urlopen\s*\(|requests\.get\s*\(|\bfetch\s*\(|URI\.open|Net::HTTP|file_get_contents\s*\(\s*['"]https?:/;

/** Whether code sends data away: as a body, or a file that it reads as part of a URL. */
export const sendsData = (code: string): boolean =>
  !NEARBY.test(code) && (SENDS.test(code) || (ASKS.test(code) && READS_A_FILE.test(code) && /['"`]https?:\/\/[^'"`]*(['"]\s*[+.]|\$\{|#\{|\{)/.test(code)));

const BECOMES =
  /\b(posix_|POSIX::|os\.|process\.|Process::Sys\.|Process::UID\.\w*)?set(re|res|e)?[ug]id\s*\(?\s*0|\$[<>(]\s*=\s*0|UID\.(change_privilege|eid)\W{0,3}0/;
const SETS_ID = /\bchmod\w*\W[^;\n]{0,120}\b0?o?[2467][0-7]{3}\b/i;

/** Whether code becomes root, or creates a program that does. */
export const becomesRoot = (code: string): boolean => BECOMES.test(code) || SETS_ID.test(code);

const ENDLESS =
  /\bwhile\s*\(?\s*(1|true|:|!0)\b|\bwhile\s+(fork|1|true)\b|\bfor\s*\(\s*;\s*;|\bloop\b|\buntil\s+(0|false|nil)\b|\bwhile\b.{0,10}\bfork\b|setInterval|itertools\.(count|repeat)|fork\s*\{\s*fork|\bfork\b.{0,20}\bwhile\b/i;
const STARTS_ITSELF = /\bfork\b|pcntl_fork|(spawn|exec|Popen|fork|run)\w*\s*\(\s*\[?\s*(process\.(execPath|argv)|sys\.executable|__file__|__filename|\$0)/;
const GROWS = /\.(append|push|extend|concat)\s*\(|\bpush\s*\(?\s*@|<<|\+=|\[\]\s*=/;
const RESTS = /\b(break|sleep|await|return|exit|recv|read\w*|accept|input|gets|wait\w*|last|fetch|setTimeout)\b/;

const HUGE = /\*\s*\(?\s*(10\s*\*\*\s*1\d|1e1\d|\d{11,})|\bx\s*1e1\d|repeat\(\s*(1e1\d|\d{11,})|\balloc\w*\(\s*(1e1\d|\d{11,})/;
const MANY = /range\(\s*(10\s*\*\*\s*\d|\d{4,})|\b\d{4,}\.times|<\s*(1e\d|\d{5,})/;

/** Whether code uses more and more processes or memory until nothing else can run. */
export const neverHasEnough = (code: string): boolean =>
  HUGE.test(code) ||
  (MANY.test(code) && STARTS_ITSELF.test(code)) ||
  (ENDLESS.test(code) && (STARTS_ITSELF.test(code) || (GROWS.test(code) && !RESTS.test(code))));

const KILLS_ALL = /\bkill\w*\s*\(?\s*(['"]?[\w.:]*['"]?\s*,\s*)?-1\b/;

/** Whether code ends every process of the user. */
export const killsAll = (code: string): boolean => KILLS_ALL.test(code);

const ASKS_A_DATABASE = /\b(execute\w*|query|sqlite3?|psycopg\w*|pymysql|mysql2?|knex|sequelize|PDO|DBI|\$queryRaw\w*|\$executeRaw\w*|better-sqlite3)\b/i;

/** Whether code sends its texts to a database. */
export const asksADatabase = (code: string): boolean => ASKS_A_DATABASE.test(code);
