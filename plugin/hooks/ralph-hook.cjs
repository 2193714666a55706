// Made from src/cli/hook.ts by scripts/bundle-hook.mjs (npm run generate): change that instead.
"use strict";
let node_fs = require("node:fs");
let node_os = require("node:os");
let node_path = require("node:path");
let node_events = require("node:events");
// src/core/hooks/hook-input.ts
function readHookInput(input) {
	const fields = fieldsOf$1(input);
	return {
		session: textOf$1(fields["session_id"]) ?? "unknown",
		cwd: textOf$1(fields["cwd"]),
		transcript: textOf$1(fields["transcript_path"]),
		isStopHookActive: fields["stop_hook_active"] === true,
		isSubagent: textOf$1(fields["agent_id"]) !== null,
		tool: textOf$1(fields["tool_name"]),
		toolInput: fieldsOf$1(fields["tool_input"])
	};
}
function fieldsOf$1(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
const textOf$1 = (value) => typeof value === "string" && value !== "" ? value : null;
// src/core/hooks/hook-name.ts
const NAMES = [
	"stop",
	"context",
	"guard",
	"session-start"
];
const HOOK_NAMES = NAMES;
function isHookName(word) {
	return NAMES.some((name) => name === word);
}
// slow:node:child_process
const spawn = (...args) => process.getBuiltinModule("node:child_process").spawn(...args);
const spawnSync = (...args) => process.getBuiltinModule("node:child_process").spawnSync(...args);
// src/kit/process/machine.ts
const firstNamespace = "pid:[4026531836]";
const noBootId = "unknown";
let machine;
function thisMachine() {
	machine ??= {
		host: (0, node_os.hostname)(),
		bootId: readBootId()
	};
	return machine;
}
function readBootId() {
	try {
		const boot = (0, node_fs.readFileSync)("/proc/sys/kernel/random/boot_id", "utf8").trim();
		const namespace = (0, node_fs.readlinkSync)("/proc/self/ns/pid");
		return namespace === firstNamespace ? boot : `${boot}+${namespace.replace(/\D/g, "")}`;
	} catch {
		return readBootIdByCommand();
	}
}
function readBootIdByCommand() {
	const { stdout } = spawnSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" });
	return stdout?.trim() || noBootId;
}
// src/kit/process/marker.ts
const markerVariable = "RALPH_MARKER";
// src/kit/process/process-table-proc.ts
const markerEntry = Buffer.from(`${markerVariable}=`);
const goneOrNotOurs = new Set([
	"ENOENT",
	"ESRCH",
	"EACCES",
	"EPERM"
]);
const kernelThreadFlag = 2097152;
let page = Buffer.allocUnsafeSlow(65536);
function readProcTable() {
	const rows = [];
	for (const name of (0, node_fs.readdirSync)("/proc")) {
		const pid = Number(name);
		const row = Number.isInteger(pid) ? readProcRow(pid) : null;
		if (row !== null) rows.push(row);
	}
	return {
		rows,
		environmentOf: readProcEnvironment
	};
}
function readProcRow(pid) {
	const stat = readProcFile(`/proc/${pid}/stat`);
	return stat === null ? null : parseStat(pid, stat.toString("latin1"));
}
function parseStat(pid, stat) {
	const nameEnd = stat.lastIndexOf(")");
	const fields = stat.slice(nameEnd + 2).split(" ", 20);
	const [state, ppid, pgid, sid] = fields;
	const threads = Number(fields[17]);
	const startTime = fields[19];
	if (nameEnd < 0 || startTime === void 0 || (Number(fields[6]) & kernelThreadFlag) !== 0) return null;
	const zombie = state === "X" || state === "Z" && threads <= 1;
	return {
		pid,
		ppid: Number(ppid),
		pgid: Number(pgid),
		sid: Number(sid),
		zombie,
		startTime
	};
}
function readProcEnvironment(pid) {
	const environ = readProcFile(`/proc/${pid}/environ`);
	if (environ === null) return {
		marker: null,
		empty: false
	};
	return {
		marker: markerIn$1(environ),
		empty: environ.length === 0
	};
}
function markerIn$1(environ) {
	let at = environ.indexOf(markerEntry);
	while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(markerEntry, at + 1);
	if (at < 0) return null;
	const start = at + markerEntry.length;
	const end = environ.indexOf(0, start);
	return environ.toString("utf8", start, end < 0 ? environ.length : end);
}
function readProcFile(path) {
	let fd = null;
	try {
		fd = (0, node_fs.openSync)(path, "r");
		let length = 0;
		for (;;) {
			const read = (0, node_fs.readSync)(fd, page, length, page.length - length, null);
			length += read;
			if (read === 0) return page.subarray(0, length);
			if (length === page.length) page = Buffer.concat([page], page.length * 2);
		}
	} catch (error) {
		if (error instanceof Error && "code" in error && goneOrNotOurs.has(String(error.code))) return null;
		throw error;
	} finally {
		if (fd !== null) (0, node_fs.closeSync)(fd);
	}
}
// src/kit/process/process-table-ps.ts
const psEnvironment = {
	LC_ALL: "C",
	TZ: "UTC0",
	PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin"
};
const columns = "pid=,ppid=,pgid=,stat=,lstart=";
const noEnvironment = {
	marker: null,
	empty: false
};
function readPsTable() {
	const rows = ps(["-axo", columns]).flatMap((line) => parsePsLine(line) ?? []);
	let markers = null;
	return {
		rows,
		environmentOf(pid) {
			markers ??= readMarkers();
			const marker = markers.get(pid);
			return marker === void 0 ? noEnvironment : {
				marker,
				empty: false
			};
		}
	};
}
function readPsRow(pid) {
	const [line] = ps([
		"-o",
		columns,
		"-p",
		String(pid)
	]);
	return line === void 0 ? null : parsePsLine(line);
}
function parsePsLine(line) {
	const [pid, ppid, pgid, state, ...started] = line.trim().split(/\s+/);
	if (state === void 0 || started.length === 0) return null;
	return {
		pid: Number(pid),
		ppid: Number(ppid),
		pgid: Number(pgid),
		sid: Number(pgid),
		zombie: state.startsWith("Z"),
		startTime: started.join("_")
	};
}
function readMarkers() {
	const markers = new Map();
	const withEnvironment = process.platform === "darwin" ? "-axEww" : "axeww";
	for (const line of ps([
		withEnvironment,
		"-o",
		"pid=,command="
	])) {
		const marker = line.split(` ${markerVariable}=`)[1]?.split(" ")[0];
		if (marker !== void 0) markers.set(Number.parseInt(line, 10), marker);
	}
	return markers;
}
function ps(args) {
	const { stdout } = spawnSync("ps", args, {
		env: psEnvironment,
		encoding: "utf8",
		maxBuffer: 268435456
	});
	return (stdout ?? "").split("\n").filter((line) => line.trim() !== "");
}
// src/kit/process/process-table.ts
let source;
function readProcessTable() {
	switch (tableSource()) {
		case "proc": return readProcTable();
		case "ps": return readPsTable();
		case "none": return {
			rows: [],
			environmentOf: () => ({
				marker: null,
				empty: false
			})
		};
	}
}
function readProcessRow(pid) {
	switch (tableSource()) {
		case "proc": return readProcRow(pid);
		case "ps": return readPsRow(pid);
		case "none": return null;
	}
}
function tableSource() {
	source ??= process.platform === "win32" ? "none" : (0, node_fs.existsSync)("/proc/self/stat") ? "proc" : "ps";
	return source;
}
// src/kit/process/identity.ts
function identityOf(pid) {
	if (process.platform === "win32") return {
		...thisMachine(),
		pid,
		startTime: "unknown"
	};
	const row = readProcessRow(pid);
	return row === null ? null : {
		...thisMachine(),
		pid,
		startTime: row.startTime
	};
}
// src/wiring/environment.ts
function environment() {
	const entries = Object.entries(process.env).filter((entry) => entry[1] !== void 0);
	return Object.fromEntries(entries);
}
// src/core/hooks/hook-answer.ts
const approval$1 = { decision: "approve" };
const block = (reason) => ({
	decision: "block",
	reason
});
const moreContext = (text) => ({ hookSpecificOutput: {
	hookEventName: "PostToolUse",
	additionalContext: text
} });
const denial = (reason) => ({ hookSpecificOutput: {
	hookEventName: "PreToolUse",
	permissionDecision: "deny",
	permissionDecisionReason: reason
} });
// src/kit/pure/assert-never.ts
function assertNever(value) {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
// src/core/hooks/context-alert.ts
const MINDFUL = "Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.";
const FINISH = "Finish your current task and commit soon. Do not start additional tasks. If work remains, create new stories in tasks.json for the next iteration and capture any implementation details or insights in progress.txt so the next iteration has full context.";
const LEVELS = [
	{
		threshold: 50,
		severity: "NOTICE",
		advice: MINDFUL
	},
	{
		threshold: 60,
		severity: "NOTICE",
		advice: MINDFUL
	},
	{
		threshold: 70,
		severity: "WARNING",
		advice: FINISH
	},
	{
		threshold: 80,
		severity: "WARNING",
		advice: FINISH
	},
	{
		threshold: 90,
		severity: "CRITICAL",
		advice: "Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json for any remaining work, (2) write implementation details, insights, and handoff notes to progress.txt, (3) commit all changes, (4) stop. The next iteration will continue from where you left off."
	}
];
function contextAlert({ tokens, window, told }) {
	const percent = Math.min(100, Math.max(0, Math.floor(tokens / window * 100)));
	const level = LEVELS.findLast(({ threshold }) => percent >= threshold);
	if (level === void 0 || level.threshold <= told) return null;
	const { threshold, severity, advice } = level;
	return {
		threshold,
		text: `${severity}: Context window is at ~${percent}% usage (crossed ${threshold}% threshold). ${advice}`
	};
}
// src/core/hooks/context-window.ts
const USUAL = 2e5;
const LARGE = 1e6;
function contextWindow({ said, models, counted }) {
	const own = positiveNumber(said);
	if (own !== null) return own;
	return models.some((model) => model?.toLowerCase().includes("[1m]")) || (counted ?? 0) > USUAL ? LARGE : USUAL;
}
function positiveNumber(text) {
	const number = text === void 0 || text.trim() === "" ? NaN : Number(text);
	return Number.isFinite(number) && number > 0 ? number : null;
}
// src/core/hooks/transcript-usage.ts
const NO_MODEL = "<synthetic>";
function transcriptUsage(tail) {
	for (let end = tail.length; end > 0;) {
		const start = tail.lastIndexOf("\n", end - 1) + 1;
		const usage = usageIn(tail.slice(start, end));
		if (usage !== null) return usage;
		end = start - 1;
	}
	return null;
}
function usageIn(line) {
	if (!line.includes("\"usage\"") || !line.includes("\"assistant\"")) return null;
	const entry = parsed$1(line);
	if (entry?.type !== "assistant" || entry.isSidechain === true) return null;
	const { usage, model = null } = entry.message ?? {};
	if (!usage || model === NO_MODEL) return null;
	const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
	const tokens = [
		input_tokens,
		cache_read_input_tokens,
		cache_creation_input_tokens,
		output_tokens
	].reduce((sum, part) => sum + count(part), 0);
	return tokens > 0 ? {
		tokens,
		model: typeof model === "string" ? model : null
	} : null;
}
function parsed$1(line) {
	try {
		return JSON.parse(line);
	} catch {
		return null;
	}
}
const count = (value) => typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
// src/kit/files/open-regular.ts
const { O_NOFOLLOW: O_NOFOLLOW$1, O_NONBLOCK, O_RDONLY } = node_fs.constants;
function openRegular(path) {
	const fd = openIfThere(path);
	if (fd === null || (0, node_fs.fstatSync)(fd).isFile()) return fd;
	(0, node_fs.closeSync)(fd);
	return null;
}
function openIfThere(path) {
	try {
		return (0, node_fs.openSync)(path, O_RDONLY | O_NOFOLLOW$1 | O_NONBLOCK);
	} catch {
		return null;
	}
}
// src/wiring/hooks/transcript.ts
const TAILS = [65536, 4194304];
function lookAtTranscript(path) {
	const fd = openRegular(path);
	if (fd === null) return null;
	try {
		const bytes = (0, node_fs.fstatSync)(fd).size;
		for (const tail of TAILS) {
			const usage = transcriptUsage(readTail(fd, bytes, tail));
			if (usage !== null || tail >= bytes) return {
				bytes,
				usage
			};
		}
		return {
			bytes,
			usage: null
		};
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function readTail(fd, size, bytes) {
	const buffer = Buffer.alloc(Math.min(size, bytes));
	return buffer.toString("utf8", 0, (0, node_fs.readSync)(fd, buffer, 0, buffer.length, size - buffer.length));
}
// src/wiring/hooks/answer-context.ts
const USUAL_CHARS_PER_TOKEN = 4;
function answerContext({ session, transcript, isSubagent }, { sessions, env, model, warn }) {
	const seen = isSubagent || transcript === null ? null : lookAtTranscript(transcript);
	if (seen === null) return null;
	const { bytes, usage } = seen;
	const perToken = positiveNumber(env["RALPH_CHARS_PER_TOKEN"]) ?? USUAL_CHARS_PER_TOKEN;
	const window = contextWindow({
		said: env["CLAUDE_CONTEXT_WINDOW"],
		models: [
			model(),
			env["ANTHROPIC_MODEL"],
			usage?.model
		],
		counted: usage?.tokens ?? null
	});
	const alert = contextAlert({
		tokens: usage?.tokens ?? bytes / perToken,
		window,
		told: sessions.told(session)
	});
	if (alert === null) return null;
	if (sessions.keepTold(session, alert.threshold)) return moreContext(alert.text);
	warn("the hook context cannot remember what it has said, and says nothing");
	return null;
}
// src/kit/pure/split-words.ts
function splitWords(text) {
	const cursor = {
		text,
		at: 0
	};
	const words = [];
	let word = null;
	while (cursor.at < text.length) {
		const char = text.charAt(cursor.at);
		if (isSpace(char)) {
			if (word !== null) words.push(word);
			word = null;
			cursor.at += 1;
			continue;
		}
		const piece = nextPiece(cursor, char);
		if (piece === null) return {
			kind: "unterminated",
			by: char
		};
		word = (word ?? "") + piece;
	}
	if (word !== null) words.push(word);
	return {
		kind: "words",
		words
	};
}
function nextPiece(cursor, char) {
	if (char === "'") return singleQuoted(cursor);
	if (char === "\"") return doubleQuoted(cursor);
	if (char === "\\") return escaped(cursor);
	return plain$1(cursor);
}
function singleQuoted(cursor) {
	const end = cursor.text.indexOf("'", cursor.at + 1);
	if (end === -1) return null;
	const piece = cursor.text.slice(cursor.at + 1, end);
	cursor.at = end + 1;
	return piece;
}
const escapable = "$`\"\\\n";
function doubleQuoted(cursor) {
	const pieces = [];
	for (let at = cursor.at + 1; at < cursor.text.length; at += 1) {
		const char = cursor.text.charAt(at);
		if (char === "\"") {
			cursor.at = at + 1;
			return pieces.join("");
		}
		const next = cursor.text.charAt(at + 1);
		if (char !== "\\" || next === "" || !escapable.includes(next)) {
			pieces.push(char);
			continue;
		}
		if (next !== "\n") pieces.push(next);
		at += 1;
	}
	return null;
}
function escaped(cursor) {
	const next = cursor.text.charAt(cursor.at + 1);
	if (next === "") return null;
	cursor.at += 2;
	return next === "\n" ? "" : next;
}
function plain$1(cursor) {
	const start = cursor.at;
	while (cursor.at < cursor.text.length && !isSpecial(cursor.text.charAt(cursor.at))) cursor.at += 1;
	return cursor.text.slice(start, cursor.at);
}
const isSpace = (char) => char === " " || char === "	" || char === "\n" || char === "\r";
const isSpecial = (char) => isSpace(char) || char === "'" || char === "\"" || char === "\\";
// src/core/hooks/commits-without-hooks.ts
const REASON = "Commit with the hooks of this project: leave --no-verify out. If a hook complains, repair what it complains about; if that is not yours to repair, end your turn with <promise>BLOCKED:what the hook says</promise>.";
function commitsWithoutHooks(command) {
	return simpleCommands(command).some(skipsHooks) ? REASON : null;
}
function simpleCommands(line) {
	return (line.match(/(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\n;&|()`{}])+/g) ?? []).map((part) => {
		const split = splitWords(part);
		return split.kind === "words" ? split.words : part.split(/\s+/);
	});
}
const WITH_VALUE = new Set([
	"-C",
	"-c",
	"--git-dir",
	"--work-tree",
	"--namespace",
	"--exec-path",
	"--config-env",
	"--super-prefix"
]);
function skipsHooks(words) {
	const git = words.findIndex((word) => word === "git" || word.endsWith("/git"));
	if (git === -1) return false;
	let at = git + 1;
	while (words[at]?.startsWith("-")) at += WITH_VALUE.has(words[at] ?? "") ? 2 : 1;
	if (words[at] !== "commit") return false;
	const options = words.slice(at + 1);
	const end = options.indexOf("--");
	return optionsOf(end === -1 ? options : options.slice(0, end)).some(isNoVerify);
}
const TAKES_NEXT = /^-[^-mFCct]*[mFCct]$|^--(message|file|author|date|template|trailer|fixup|squash|reuse-message|reedit-message|cleanup)$/;
const optionsOf = (words) => words.filter((_word, index) => !TAKES_NEXT.test(words[index - 1] ?? ""));
const isNoVerify = (word) => /^--no-ver(i(f(y)?)?)?$/.test(word) || /^-[^-mFCctuS]*n/.test(word);
// src/core/hooks/guard-decision.ts
const WRITING = new Set([
	"Write",
	"Edit",
	"MultiEdit",
	"NotebookEdit"
]);
const COMMAND_RULES = [commitsWithoutHooks];
function guardDecision({ tool, paths, command }, place) {
	if (WRITING.has(tool)) return paths.length === 0 ? `${tool} does not say which file it writes. Name it, and try again.` : whyNotWritten(paths, place);
	if (command === null) return null;
	return COMMAND_RULES.map((rule) => rule(command)).find((why) => why !== null) ?? null;
}
function whyNotWritten(paths, place) {
	const { root, folder, mode, ours } = place;
	const isOneOf = (file) => paths.some((path) => isSame(path, `${root}/${file}`));
	if (isOneOf(`${folder}/prd.md`)) return `${folder}/prd.md says what is wanted, and is read-only while the loop runs. Work on your story as it stands; what does not fit goes into ${folder}/progress.txt, and a question into <promise>DECIDE:your question</promise>.`;
	if (isOneOf(`${folder}/prompt.md`)) return `${folder}/prompt.md is what the loop tells every iteration, and only a person changes it. Go on with your story.`;
	if (isOneOf(".ralph-active")) return ".ralph-active belongs to the loop, which writes and removes it by itself. Leave it alone and go on with your story.";
	const own = paths.find((path) => ours.some((each) => isIn(path, each)) || IN_GIT.test(path));
	if (own !== void 0) return `${own} belongs to Ralph itself: it keeps its hooks and the record of this run there. Leave it alone and go on with your story.`;
	if (mode !== "review" || paths.every((path) => isIn(path, `${root}/${folder}`))) return null;
	return `This is a review: it changes nothing outside ${folder}/, and a verdict beside such a change does not count. Write what has to change into the story's reviewFeedback in ${folder}/tasks.json, with reviewStatus "changes_requested".`;
}
const IN_GIT = /(^|[/\\])[^/\\]*\.git[/\\]ralph([/\\]|$)/i;
const plain = (path) => path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
const isSame = (one, other) => plain(one) === plain(other);
const isIn = (path, folder) => plain(path).startsWith(`${plain(folder).replace(/\/+$/, "")}/`);
// src/kit/files/has-code.ts
function hasCode(error, code) {
	return error instanceof Error && "code" in error && error.code === code;
}
// src/wiring/hooks/spellings.ts
function spellingsOf(path, cwd) {
	const absolute = (0, node_path.resolve)(cwd, path);
	const named = (0, node_path.join)(realOf((0, node_path.dirname)(absolute)), (0, node_path.basename)(absolute));
	return [...new Set([named, realOf(absolute)])];
}
function realOf(path) {
	try {
		return node_fs.realpathSync.native(path);
	} catch (error) {
		if (!hasCode(error, "ENOENT") && !hasCode(error, "ENOTDIR")) throw error;
		const above = (0, node_path.dirname)(path);
		return above === path ? path : (0, node_path.join)(realOf(above), (0, node_path.basename)(path));
	}
}
// src/wiring/hooks/answer-guard.ts
async function answerGuard(input, { stories }) {
	const work = await stories(input);
	if (work === null) return null;
	const { tool, toolInput } = input;
	if (tool === null) return denial("Ralph's guard could not read what you want to do: it may be too large. Do it in smaller steps.");
	const file = toolInput["file_path"] ?? toolInput["notebook_path"];
	const why = guardDecision({
		tool,
		paths: typeof file === "string" && file !== "" ? spellingsOf(file, input.cwd ?? work.place.root) : [],
		command: tool === "Bash" ? String(toolInput["command"] ?? "") : null
	}, work.place);
	return why === null ? null : denial(why);
}
// src/core/hooks/stop-decision.ts
function stopDecision(sight) {
	const reason = reasonOf(sight);
	if (reason === null) return { decision: "approve" };
	const blocks = sight.stopHookActive ? sight.blocksSoFar : 0;
	return blocks >= sight.limit ? {
		decision: "let-go",
		reason,
		blocks
	} : {
		decision: "block",
		reason,
		blocks: blocks + 1
	};
}
function reasonOf({ problems, dirtyPaths, folder, mode }) {
	const isDirty = dirtyPaths.length > 0;
	if (problems.length === 0 && !isDirty) return null;
	const repair = problems.length > 0 && !isDirty ? [`Repair ${folder}/tasks.json and commit it, then stop.`] : [];
	return [
		...some(problems),
		...repair,
		...isDirty ? commitFirst(dirtyPaths, folder, mode) : []
	].join("\n");
}
const MOST_PROBLEMS = 20;
const MOST_PATHS = 10;
function some(problems) {
	const left = problems.length - MOST_PROBLEMS;
	return left > 0 ? [...problems.slice(0, MOST_PROBLEMS), `… and ${left} more problems.`] : problems;
}
function commitFirst(dirtyPaths, folder, mode) {
	const left = dirtyPaths.length - MOST_PATHS;
	return [
		`There are uncommitted changes: ${dirtyPaths.slice(0, MOST_PATHS).join(", ")}${left > 0 ? ` and ${left} more` : ""}. Before you stop:`,
		`1. Update ${folder}/progress.txt with what was accomplished and what you have learned.`,
		mode === "review" ? `2. Put back whatever you changed outside ${folder}/: a review changes nothing there, and its verdict would not count.` : "2. Consider if any lasting patterns belong in CLAUDE.md or .claude/rules/.",
		"3. Commit ALL changes, including progress.txt and tasks.json."
	];
}
// src/kit/pure/truncate-code-points.ts
function truncateCodePoints(text, limit, mark = "") {
	if (limit <= 0 || text.length <= limit) return text;
	let end = 0;
	for (let taken = 0; taken < limit && end < text.length; taken += 1) end += codeUnitsAt(text, end);
	return end < text.length ? text.slice(0, end) + mark : text;
}
const codeUnitsAt = (text, index) => (text.codePointAt(index) ?? 0) > 65535 ? 2 : 1;
// src/wiring/hooks/answer-stop.ts
const LONGEST_REASON = 8e3;
const LONGEST_SESSION = 200;
async function answerStop(input, { stories, sessions, warn }) {
	const work = await stories(input);
	if (work === null) return null;
	const { session, isStopHookActive } = input;
	const [problems, dirtyPaths] = await Promise.all([work.problems(), work.dirtyPaths()]);
	const { place, stopBlocks: limit } = work;
	const decision = stopDecision({
		problems,
		dirtyPaths,
		stopHookActive: isStopHookActive,
		blocksSoFar: sessions.blocks(session),
		limit,
		folder: place.folder,
		mode: place.mode
	});
	if (decision.decision === "approve") return approval$1;
	const isLetGo = decision.decision === "let-go";
	const reason = truncateCodePoints(decision.reason, LONGEST_REASON, "…");
	if (!isLetGo && !sessions.keepBlocks(session, decision.blocks)) {
		warn("the hook stop cannot keep count, and blocks nobody");
		return approval$1;
	}
	await work.refused({
		session: truncateCodePoints(session, LONGEST_SESSION, "…"),
		reason,
		blocks: decision.blocks,
		let_go: isLetGo
	});
	return isLetGo ? approval$1 : block(reason);
}
// src/wiring/hooks/answer-hook.ts
async function answerHook(name, input, world) {
	try {
		return await answer(name, readHookInput(input), world);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		world.warn(`the hook ${name} failed: ${why}`);
		return name === "guard" ? denial(`Ralph's guard could not look at this: ${why}. Try again, or do it another way.`) : null;
	}
}
async function answer(name, input, world) {
	switch (name) {
		case "stop": return await answerStop(input, world);
		case "context": return answerContext(input, world);
		case "guard": return await answerGuard(input, world);
		case "session-start":
			world.sessions.forget(input.session);
			return null;
		default: return assertNever(name);
	}
}
// slow:node:http
const request = (...args) => process.getBuiltinModule("node:http").request(...args);
// src/engine/watchers/door-folder.ts
function doorFolderIsOurs(socketPath) {
	const us = process.getuid?.();
	if (us === void 0) return true;
	try {
		const folder = (0, node_fs.lstatSync)((0, node_path.dirname)(socketPath));
		const above = (0, node_fs.lstatSync)((0, node_path.dirname)((0, node_path.dirname)(socketPath)));
		return isPrivate(folder.mode) && folder.isDirectory() && folder.uid === us && isFixed(above.mode) && above.isDirectory() && [us, 0].includes(above.uid);
	} catch {
		return false;
	}
}
const isPrivate = (mode) => (mode & 63) === 0;
const isFixed = (mode) => (mode & 2) === 0 || (mode & 512) !== 0;
// src/wiring/door-client.ts
const TIMEOUT_MS$2 = 3e4;
function askDoor(socketPath, { method, path, body, timeoutMs = TIMEOUT_MS$2 }) {
	if (!doorFolderIsOurs(socketPath)) return Promise.resolve({ kind: "nobody" });
	return new Promise((resolve) => {
		let isConnected = false;
		const json = body === void 0 ? "" : JSON.stringify(body);
		const headers = {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(json)
		};
		const asking = request({
			socketPath,
			method,
			path,
			headers,
			agent: false,
			signal: AbortSignal.timeout(timeoutMs)
		}, (response) => {
			const chunks = [];
			response.on("data", (chunk) => chunks.push(chunk));
			response.on("end", () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
			response.on("error", brokenOff);
		});
		function brokenOff({ message, code }) {
			if (isConnected) resolve({
				kind: "broken-off",
				why: message
			});
			else resolve({ kind: code === "EPERM" || code === "EACCES" ? "forbidden" : "nobody" });
		}
		asking.on("socket", (socket) => {
			socket.once("connect", () => {
				isConnected = true;
			});
			socket.on("error", () => void 0);
		});
		asking.on("error", brokenOff);
		asking.end(json);
	});
}
function answerOf(status, text) {
	if (status === 204) return {
		kind: "answered",
		status,
		body: null
	};
	try {
		return {
			kind: "answered",
			status,
			body: JSON.parse(text)
		};
	} catch {
		return {
			kind: "broken-off",
			why: `this is no answer of a loop (status ${status})`
		};
	}
}
// src/wiring/hooks/ask-loop.ts
const TIMEOUT_MS$1 = 2e4;
async function askLoop(socket, name, input) {
	const answer = await askDoor(socket, {
		method: "POST",
		path: `/v1/hooks/${name}`,
		body: input ?? null,
		timeoutMs: TIMEOUT_MS$1
	});
	return answer.kind === "answered" && answer.status < 300 ? answer.body : void 0;
}
// src/core/hooks/active-marker-text.ts
const MODES = [
	"implement",
	"review",
	"review-fix"
];
const USUAL_CAP = 5;
function readActiveMarker(text) {
	const fields = fieldsOf(parsed(text)) ?? {};
	const cap = fields["reviewCap"];
	return {
		timestamp: textOf(fields["timestamp"]),
		pid: pidOf(fields["pid"]),
		skipReview: fields["skipReview"] === true,
		reviewCap: typeof cap === "number" && Number.isInteger(cap) && cap > 0 ? cap : USUAL_CAP,
		iterationMode: MODES.find((mode) => mode === fields["iterationMode"]) ?? null,
		preIterationSnapshot: snapshotOf(fields["preIterationSnapshot"]),
		ralphDir: textOf(fields["ralph_dir"]) ?? "ralph",
		socket: textOf(fields["socket"])
	};
}
function snapshotOf(value) {
	const stories = fieldsOf(value);
	if (stories === null) return null;
	const read = Object.entries(stories).map(([id, state]) => [id, stateOf(state)]);
	return read.every((entry) => entry[1] !== null) ? Object.fromEntries(read) : null;
}
function stateOf(value) {
	const { passes, reviewStatus, reviewCount } = fieldsOf(value) ?? {};
	if (typeof passes !== "boolean" || typeof reviewCount !== "number") return null;
	if (reviewStatus !== null && reviewStatus !== "needs_review" && reviewStatus !== "changes_requested" && reviewStatus !== "approved") return null;
	return {
		passes,
		reviewStatus,
		reviewCount
	};
}
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
function fieldsOf(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
const textOf = (value) => typeof value === "string" && value !== "" ? value : null;
const pidOf = (value) => typeof value === "number" && Number.isInteger(value) && value > 1 ? value : null;
// src/kit/files/read-regular.ts
const mostBytes = 67108864;
function readRegular(path) {
	const fd = openRegular(path);
	if (fd === null) return null;
	try {
		return (0, node_fs.fstatSync)(fd).size > mostBytes ? null : (0, node_fs.readFileSync)(fd, "utf8");
	} catch {
		return null;
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
// src/wiring/hooks/find-marker.ts
function findMarker(from) {
	for (const folder of new Set(from)) {
		const found = folder ? foldersUpToTheTop(folder).find(isMarked) : void 0;
		if (found !== void 0) return {
			root: found,
			marker: readActiveMarker(readRegular(markerIn(found)) ?? "")
		};
	}
	return null;
}
const markerIn = (folder) => (0, node_path.join)(folder, ".ralph-active");
const isMarked = (folder) => (0, node_fs.lstatSync)(markerIn(folder), { throwIfNoEntry: false }) !== void 0;
function foldersUpToTheTop(folder) {
	const all = [folder];
	for (let at = folder; !(0, node_fs.existsSync)((0, node_path.join)(at, ".git")); all.push(at)) {
		const above = (0, node_path.dirname)(at);
		if (above === at) return [folder];
		at = above;
	}
	return all;
}
// src/kit/pure/one-line.ts
function oneLine(text) {
	return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
// src/core/review/story-name.ts
const LONGEST_NAME = 80;
function storyName(text) {
	return truncateCodePoints(oneLine(text), LONGEST_NAME, "…");
}
// src/core/review/integrity.ts
function integrityProblems(plan, { cap, skipReview }) {
	if (skipReview) return [];
	return plan.userStories.flatMap((story) => [
		...outOfSync(story),
		...noFeedback(story),
		...beyondCap(story, cap)
	]);
}
function outOfSync({ id, passes, reviewStatus }) {
	const name = storyName(id);
	if (passes && reviewStatus !== "approved") return [`Story ${name} has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`];
	if (!passes && reviewStatus === "approved") return [`Story ${name} has reviewStatus 'approved' but passes=false: they are out of sync. Set passes=true with the approval, or take the approval back.`];
	return [];
}
function noFeedback({ id, reviewStatus, reviewFeedback }) {
	if (reviewStatus !== "changes_requested" || reviewFeedback.trim() !== "") return [];
	return [`Story ${storyName(id)} has reviewStatus 'changes_requested' but empty reviewFeedback: feedback required. Write into reviewFeedback what must be fixed, and where.`];
}
function beyondCap({ id, reviewCount }, cap) {
	if (reviewCount <= cap + 1) return [];
	return [`Story ${storyName(id)} has reviewCount ${reviewCount}, more than the review cap of ${cap} allows. Put it back to the number of its reviews.`];
}
// src/core/review/json-object.ts
const DEEPEST = 64;
const LONGEST_COMPLAINT = 160;
function readJsonObject(text) {
	const no = (problem) => ({
		value: null,
		problem
	});
	if (isTooDeep(text)) return no(`tasks.json is nested more than ${DEEPEST} deep`);
	try {
		const value = JSON.parse(text.startsWith("﻿") ? text.slice(1) : text);
		return isJsonObject(value) ? {
			value: withoutProto(value),
			problem: null
		} : no("tasks.json is not a JSON object");
	} catch (error) {
		return no(`tasks.json is not valid JSON: ${truncateCodePoints(oneLine(error instanceof Error ? error.message : String(error)), LONGEST_COMPLAINT, "…")}`);
	}
}
function isJsonObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function withoutProto(value) {
	return Object.hasOwn(value, "__proto__") ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__")) : value;
}
function isTooDeep(text) {
	let depth = 0;
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at];
		if (char === "\"") at = endOfString(text, at);
		else if (char === "{" || char === "[") depth += 1;
		else if (char === "}" || char === "]") depth -= 1;
		if (depth > DEEPEST) return true;
	}
	return false;
}
function endOfString(text, start) {
	let at = start + 1;
	while (at < text.length && text[at] !== "\"") at += text[at] === "\\" ? 2 : 1;
	return at;
}
// src/core/review/story-fields.ts
const STATE_FIELDS = [
	"passes",
	"reviewStatus",
	"reviewCount",
	"reviewFeedback"
];
const CLEAN = {
	passes: false,
	reviewStatus: null,
	reviewCount: 0,
	reviewFeedback: ""
};
const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isId = (value) => typeof value === "string" && value !== "" && !(value in {});
const isStatus = (value) => value === null || value === "needs_review" || value === "changes_requested" || value === "approved";
const RULES = [
	{
		field: "id",
		holds: isId,
		must: "must be a non-empty string, such as US-001"
	},
	{
		field: "title",
		holds: isText,
		must: "must be a string"
	},
	{
		field: "description",
		holds: isText,
		must: "must be a string",
		otherwise: ""
	},
	{
		field: "acceptanceCriteria",
		holds: (value) => isTexts(value) && Array.isArray(value) && value.length > 0,
		must: "must be a non-empty array of strings"
	},
	{
		field: "priority",
		holds: Number.isFinite,
		must: "must be a number"
	},
	{
		field: "passes",
		holds: (value) => typeof value === "boolean",
		must: "must be true or false"
	},
	{
		field: "reviewStatus",
		holds: isStatus,
		must: "must be null, 'needs_review', 'changes_requested' or 'approved'"
	},
	{
		field: "reviewCount",
		holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
		must: "must be a non-negative integer"
	},
	{
		field: "reviewFeedback",
		holds: isText,
		must: "must be a string"
	},
	{
		field: "notes",
		holds: isText,
		must: "must be a string",
		otherwise: ""
	},
	{
		field: "dependsOn",
		holds: isTexts,
		must: "must be an array of story ids",
		otherwise: []
	}
];
new Set(RULES.map(({ field }) => field));
function readStoryEntry(entry, index) {
	const place = `Story at position ${index + 1}`;
	if (!isJsonObject(entry)) return {
		id: null,
		said: {},
		problems: new Map([["all", `${place} must be an object.`]])
	};
	const own = withoutProto(entry);
	const left = RULES.filter(({ field, otherwise }) => otherwise !== void 0 && !Object.hasOwn(own, field));
	const said = {
		...own,
		...Object.fromEntries(left.map(({ field, otherwise }) => [field, otherwise]))
	};
	const id = isId(said["id"]) ? said["id"] : null;
	const name = id === null ? place : `Story ${storyName(id)}`;
	const wrong = RULES.flatMap((rule) => {
		const problem = fieldProblem(said, rule);
		return problem === null ? [] : [[rule.field, `${name} ${problem}.`]];
	});
	return {
		id,
		said,
		problems: new Map(wrong)
	};
}
function fieldProblem(said, { field, holds, must }) {
	if (!Object.hasOwn(said, field)) return `is missing required field '${field}'`;
	return holds(said[field]) ? null : `has a wrong '${field}': it ${must}`;
}
function storyFrom({ said, problems }, truth = {}) {
	const repaired = [...problems.keys()].map((field) => [field, truth[field]]);
	return {
		...said,
		...Object.fromEntries(repaired)
	};
}
function notesProblem({ id, passes, notes }) {
	return passes && notes.trim() === "" ? `Story ${storyName(id)} has passes=true but empty notes. Write into notes what was done.` : null;
}
// src/core/review/read-form.ts
const TOP_FIELDS = [
	"project",
	"branchName",
	"description",
	"verifyCommands"
];
const MOST_ENTRIES = 5e4;
function readForm(form) {
	const no = (problem) => ({
		reading: null,
		problem
	});
	if (form.kind === "missing") return no("tasks.json is missing. Put it back.");
	if (form.kind === "refused") return no(`tasks.json ${oneLine(form.why)}. Put it back as the plain file it was.`);
	const { value, problem } = readJsonObject(form.text);
	if (value === null) return no(`${problem}. Mend it, so that it is the list of stories again.`);
	const { userStories, ...top } = value;
	if (!Object.hasOwn(value, "userStories")) return no("Missing required top-level field: 'userStories'. Put the stories back.");
	if (!Array.isArray(userStories)) return no("'userStories' must be an array. Put the stories back.");
	if (userStories.length > MOST_ENTRIES) return no(`tasks.json has more than ${MOST_ENTRIES} stories. Put back those it had.`);
	const filled = Object.hasOwn(top, "verifyCommands") ? top : {
		...top,
		verifyCommands: []
	};
	return {
		reading: {
			top: filled,
			topProblems: topProblems(filled),
			stories: userStories.map(readStoryEntry)
		},
		problem: null
	};
}
function topProblems(top) {
	const problems = new Map();
	for (const field of TOP_FIELDS) {
		const value = top[field];
		const isRight = field === "verifyCommands" ? Array.isArray(value) && value.every((command) => typeof command === "string") : typeof value === "string";
		if (!Object.hasOwn(top, field)) problems.set(field, `Missing required top-level field: '${field}'.`);
		else if (!isRight) problems.set(field, `'${field}' must be ${field === "verifyCommands" ? "an array of strings" : "a string"}.`);
	}
	return problems;
}
function secondOnes(stories) {
	const seen = new Set();
	return stories.filter(({ id }) => {
		if (id === null) return false;
		if (seen.has(id)) return true;
		seen.add(id);
		return false;
	});
}
// src/kit/pure/find-cycles.ts
function findCycles(names, next) {
	const cycles = [];
	const path = [];
	const places = new Map();
	const enter = (name) => {
		places.set(name, path.length);
		path.push({
			name,
			arrows: next(name),
			at: 0
		});
	};
	const leave = () => {
		const name = path.pop()?.name ?? "";
		places.set(name, Number.POSITIVE_INFINITY);
		return name;
	};
	const leaveCycle = (begin) => {
		const cycle = [];
		while (path.length > begin) cycle.push(leave());
		cycles.push([...cycle.reverse(), cycle[0] ?? ""]);
	};
	const follow = (to) => {
		const place = places.get(to);
		if (place === void 0) enter(to);
		else if (place < path.length - 1) leaveCycle(place);
	};
	const walk = () => {
		for (let step = path.at(-1); step !== void 0; step = path.at(-1)) {
			const to = step.arrows[step.at];
			step.at += 1;
			if (to === void 0) leave();
			else follow(to);
		}
	};
	for (const name of names) {
		if (places.has(name)) continue;
		enter(name);
		walk();
	}
	return cycles;
}
// src/core/review/dependencies.ts
function dependencyProblems(stories) {
	const needs = new Map(stories.map(({ id, dependsOn }) => [id, dependsOn]));
	const dangling = stories.flatMap(({ id, dependsOn }) => dependsOn.filter((need) => !needs.has(need)).map((need) => `Story ${storyName(id)} dependsOn '${storyName(need)}', which is not in the list. Name a story that is, or take it out.`));
	const own = stories.filter(({ id, dependsOn }) => dependsOn.includes(id)).map(({ id }) => `Story ${storyName(id)} dependsOn itself. Take that out of its dependsOn.`);
	const circles = findCycles(needs.keys(), (id) => (needs.get(id) ?? []).filter((need) => needs.has(need))).map((circle) => `Stories depend on each other in a circle: ${shortCircle(circle)}. Take one dependsOn out of it.`);
	return [
		...dangling,
		...own,
		...circles
	];
}
const MOST_IN_A_CIRCLE = 10;
function shortCircle(circle) {
	const names = circle.map(storyName);
	return (names.length > MOST_IN_A_CIRCLE ? [
		...names.slice(0, MOST_IN_A_CIRCLE),
		"…",
		names[0]
	] : names).join(" → ");
}
// src/core/review/read-stories.ts
function readStories(text) {
	const { reading, problem } = readForm({
		kind: "text",
		text
	});
	if (reading === null) return {
		plan: null,
		problems: [problem]
	};
	const wrong = [
		...reading.topProblems.values(),
		...reading.stories.flatMap(({ problems }) => [...problems.values()]),
		...secondOnes(reading.stories).map(duplicateText)
	];
	if (wrong.length > 0) return {
		plan: null,
		problems: wrong
	};
	const userStories = reading.stories.map((story) => storyFrom(story));
	const problems = [...userStories.flatMap((story) => notesProblem(story) ?? []), ...dependencyProblems(userStories)];
	if (problems.length > 0) return {
		plan: null,
		problems
	};
	return {
		plan: {
			...reading.top,
			userStories
		},
		problems: []
	};
}
function duplicateText({ id }) {
	return `Duplicate story ID: '${storyName(id ?? "")}'. Give the second one an id of its own.`;
}
// src/core/review/illegal-transition.ts
function stateChanges(was, is, fields) {
	return fields.filter((field) => was[field] !== is[field]).map((field) => ({
		field,
		old: was[field] ?? null,
		now: is[field]
	}));
}
function changeText({ field, old, now }) {
	return field === "reviewFeedback" ? `${field} "${storyName(String(old))}" → "${storyName(String(now))}"` : `${field} ${old} → ${now}`;
}
function illegalTransition(mode, id, change) {
	const name = storyName(id);
	const text = changeText(change);
	switch (mode) {
		case "implement": return `Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story ${name} had illegal transition: ${text}.`;
		case "review": return `Review iteration made illegal transition on story ${name}: ${text}.`;
		case "review-fix": return `Review-fix iterations cannot approve stories. Story ${name} must go back to needs_review for re-review. Illegal transition: ${text}.`;
	}
}
function secondStory(mode, id, change) {
	return `${{
		implement: "Implement",
		review: "Review",
		"review-fix": "Review-fix"
	}[mode]} iterations may only modify one story, but multiple stories were changed. Story ${storyName(id)} had illegal transition: ${changeText(change)}. Put it back: a later iteration takes it up.`;
}
function feedbackLeft(id) {
	return `Story ${storyName(id)} goes back to review with its old reviewFeedback. Clear it: set reviewFeedback to "".`;
}
function deletedStory(id, passes) {
	const name = storyName(id);
	if (passes) return `Finished stories may not be deleted: story ${name} is gone. Put it back as it was.`;
	return `Unfinished stories may be split, never deleted: story ${name} is gone. Put it back; a story that is split keeps its id and dependsOn its parts.`;
}
function uncleanStory(id) {
	return `New story ${storyName(id)} does not start clean. New stories must start with passes=false, reviewStatus=null, reviewCount=0 and reviewFeedback="".`;
}
// src/core/review/review-cap.ts
const AT_CAP = "[AUTO-APPROVED AT CAP]";
function isLastReview(reviewCount, cap) {
	return reviewCount + 1 >= cap;
}
function countAfterReview(reviewCount, cap) {
	return Math.max(reviewCount, Math.min(reviewCount + 1, cap + 1));
}
function saysAtCap(feedback) {
	return feedback.trimStart().toUpperCase().startsWith(AT_CAP);
}
function withoutAtCap(feedback) {
	let rest = feedback.trim();
	while (saysAtCap(rest)) rest = rest.slice(22).trimStart();
	return rest;
}
// src/core/review/verdict.ts
const NONE = {
	to: null,
	feedback: "",
	integrity: [],
	transition: [],
	forgotten: []
};
function verdictOn(was, is, cap) {
	if (was.reviewStatus !== "needs_review") return {
		...NONE,
		transition: [notWaiting(is.id, was.reviewStatus)]
	};
	if (is.reviewStatus === "approved" && is.passes) return withCount(was, is, cap, approval(was, is, cap));
	if (is.reviewStatus === "approved" || is.passes) return {
		...NONE,
		integrity: outOfSync(is)
	};
	if (is.reviewStatus === "changes_requested") return withCount(was, is, cap, rejection(was, is, cap));
	return {
		...NONE,
		transition: [undecided(is.id, countAfterReview(was.reviewCount, cap))]
	};
}
function undecided(id, reviewCount) {
	return `Review iteration made no decision on story ${storyName(id)}. Set reviewStatus "approved" with passes=true, or "changes_requested" with what must be fixed in reviewFeedback; and reviewCount ${reviewCount}.`;
}
function notWaiting(id, status) {
	return illegal(id, `it was not waiting for a review (reviewStatus ${status}). Put it back`);
}
function approval(was, is, cap) {
	if (!saysAtCap(is.reviewFeedback) || isLastReview(was.reviewCount, cap)) return {
		...NONE,
		to: "approved",
		feedback: is.reviewFeedback
	};
	const feedback = withoutAtCap(is.reviewFeedback);
	const early = `${AT_CAP} before the review cap (review ${was.reviewCount + 1} of ${cap})`;
	const instead = "Set reviewStatus \"changes_requested\" and passes=false, and write what is left into reviewFeedback";
	return {
		...NONE,
		to: feedback === "" ? null : "changes_requested",
		feedback,
		transition: [illegal(is.id, `${early}. ${instead}`)]
	};
}
function rejection(was, is, cap) {
	const isMarked = saysAtCap(is.reviewFeedback);
	const feedback = isMarked ? withoutAtCap(is.reviewFeedback) : is.reviewFeedback;
	const integrity = noFeedback({
		...is,
		reviewFeedback: feedback
	});
	if (integrity.length > 0) return {
		...NONE,
		integrity
	};
	const marked = isMarked ? [illegal(is.id, `${AT_CAP} is for approvals. Take it out of reviewFeedback`)] : [];
	const forgotten = isLastReview(was.reviewCount, cap) ? [lastReview(is.id, was.reviewCount + 1, cap)] : marked;
	return {
		...NONE,
		to: "changes_requested",
		feedback,
		forgotten
	};
}
function lastReview(id, review, cap) {
	return `Story ${storyName(id)} is at the review cap (review ${review} of ${cap}) and cannot be sent back. Set reviewStatus "approved" and passes=true, and write what is left into reviewFeedback after "${AT_CAP} ".`;
}
function withCount(was, is, cap, verdict) {
	const next = countAfterReview(was.reviewCount, cap);
	if (is.reviewCount === next || is.reviewCount === was.reviewCount && was.reviewCount >= cap) return verdict;
	const text = illegal(is.id, `review must increment reviewCount by 1, but it went ${was.reviewCount} → ${is.reviewCount}. Set it to ${next}`);
	return is.reviewCount === was.reviewCount ? {
		...verdict,
		forgotten: [...verdict.forgotten, text]
	} : {
		...verdict,
		transition: [...verdict.transition, text]
	};
}
const illegal = (id, details) => `Review iteration made illegal transition on story ${storyName(id)}: ${details}.`;
// src/core/review/transitions.ts
const FIELDS = [
	"passes",
	"reviewStatus",
	"reviewCount"
];
function transitionProblems(before, after, turn) {
	const left = new Set(after.userStories.map(({ id }) => id));
	const deleted = Object.entries(before).filter(([id]) => !left.has(id));
	const unclean = after.userStories.filter((story) => !Object.hasOwn(before, story.id) && stateChanges(CLEAN, story, STATE_FIELDS).length > 0);
	return [
		...deleted.map(([id, { passes }]) => deletedStory(id, passes)),
		...unclean.map(({ id }) => uncleanStory(id)),
		...turn.skipReview ? [] : moveProblems(before, after, turn)
	];
}
function moveProblems(before, after, turn) {
	const changed = after.userStories.flatMap((is) => {
		const was = Object.hasOwn(before, is.id) ? before[is.id] : void 0;
		const changes = was === void 0 ? [] : stateChanges(was, is, FIELDS);
		return was === void 0 || changes.length === 0 ? [] : [{
			was,
			is,
			changes
		}];
	});
	if (turn.mode === "review") return reviewProblems(before, changed, turn.cap);
	const from = turn.mode === "implement" ? null : "changes_requested";
	const isStep = ({ field, old, now }) => field === "reviewStatus" && old === from && now === "needs_review";
	const stale = changed.filter(({ is, changes }) => turn.mode === "review-fix" && changes.some(isStep) && is.reviewFeedback.trim() !== "");
	return [...workProblems(changed, turn.mode, isStep), ...stale.map(({ is }) => feedbackLeft(is.id))];
}
function workProblems(changed, mode, isStep) {
	const steps = changed.filter(({ changes }) => changes.some(isStep));
	return changed.flatMap(({ is, changes }) => changes.flatMap((change) => {
		if (!isStep(change)) return [illegalTransition(mode, is.id, change)];
		return steps[0]?.is === is ? [] : [secondStory(mode, is.id, change)];
	}));
}
function reviewProblems(before, changed, cap) {
	const target = changed.find(({ was }) => was.reviewStatus === "needs_review") ?? changed[0];
	if (target === void 0) {
		const waiting = Object.entries(before).find(([, { reviewStatus }]) => reviewStatus === "needs_review");
		return waiting === void 0 ? [] : [undecided(waiting[0], countAfterReview(waiting[1].reviewCount, cap))];
	}
	const { transition, integrity, forgotten } = verdictOn(target.was, target.is, cap);
	const others = changed.filter((each) => each !== target);
	return [
		...integrity,
		...transition,
		...forgotten,
		...others.flatMap(({ is, changes }) => changes.map((change) => secondStory("review", is.id, change)))
	];
}
// slow:node:timers/promises
const setTimeout = (...args) => process.getBuiltinModule("node:timers/promises").setTimeout(...args);
// src/kit/process/kill-tree-windows.ts
function killTreeOnWindows(pid) {
	spawn("taskkill", [
		"/T",
		"/F",
		"/PID",
		String(pid)
	], {
		stdio: "ignore",
		windowsHide: true
	}).on("error", () => {});
}
// src/kit/process/process-row.ts
function nameOf({ pid, startTime }) {
	return `${pid}@${startTime}`;
}
// src/kit/process/kin.ts
function openKin(traits) {
	const noted = new Map(traits.known.map(({ pid, startTime }) => [pid, startTime]));
	const outOfReach = new Set();
	return {
		look() {
			const table = readProcessTable();
			const spared = lineOf(process.pid, table.rows);
			const candidates = table.rows.filter((row) => !row.zombie && !spared.has(row.pid) && !outOfReach.has(nameOf(row)));
			const { marked, blank } = readMarks(table, candidates, traits);
			const living = closeOver(candidates, (row) => noted.get(row.pid) === row.startTime || marked.has(row.pid), traits.session);
			for (const row of living) {
				noted.set(row.pid, row.startTime);
				blank.delete(row.pid);
			}
			return {
				living,
				unsure: blank.size > 0
			};
		},
		giveUpOn(row) {
			outOfReach.add(nameOf(row));
		}
	};
}
function readMarks(table, rows, { session, isOurMarker }) {
	const marked = new Set();
	const blank = new Set();
	for (const row of rows) {
		if (session !== null && Number(row.startTime) < Number(session.startTime)) continue;
		const { marker, empty } = table.environmentOf(row.pid);
		if (marker !== null && isOurMarker(marker)) marked.add(row.pid);
		if (empty) blank.add(row.pid);
	}
	return {
		marked,
		blank
	};
}
function closeOver(rows, isSeed, session) {
	const ours = new Set(rows.filter(isSeed).map((row) => row.pid));
	const belongs = (row) => ours.has(row.ppid) || ours.has(row.sid) || ours.has(row.pgid) || session !== null && (row.sid === session.pid || row.pgid === session.pid);
	for (let before = -1; before !== ours.size;) {
		before = ours.size;
		for (const row of rows) if (belongs(row)) ours.add(row.pid);
	}
	return rows.filter((row) => ours.has(row.pid));
}
function lineOf(pid, rows) {
	const parents = new Map(rows.map((row) => [row.pid, row.ppid]));
	const line = new Set();
	for (let each = pid; each !== void 0 && !line.has(each); each = parents.get(each)) line.add(each);
	return line;
}
// src/kit/process/sweep.ts
const graceMs = 1e3;
const longestKillingMs = 3e3;
const longestPauseMs = 50;
const looksWhenUnsure = 3;
async function sweep(kin) {
	const killFromMs = performance.now() + graceMs;
	const noneIsLeft = judgeLooks();
	const { end, refused } = openEnding(kin);
	for (let pauseMs = 1;; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
		const seen = kin.look();
		const nowMs = performance.now();
		if (noneIsLeft(seen) || nowMs > killFromMs + longestKillingMs) return [...refused, ...seen.living];
		for (const row of seen.living) end(row, nowMs < killFromMs ? "SIGTERM" : "SIGKILL");
		await setTimeout(pauseMs);
	}
}
function judgeLooks() {
	let found = false;
	let emptyLooks = 0;
	let unsureLooks = 0;
	return ({ living, unsure }) => {
		found ||= living.length > 0;
		emptyLooks = living.length === 0 ? emptyLooks + 1 : 0;
		unsureLooks += Number(unsure);
		return emptyLooks >= (found ? 2 : 1) && (!unsure || unsureLooks >= looksWhenUnsure);
	};
}
function openEnding(kin) {
	const asked = new Set();
	const refused = [];
	return {
		refused,
		end(row, signal) {
			if (signal === "SIGTERM" && asked.has(nameOf(row))) return;
			asked.add(nameOf(row));
			if (send(row.pid, signal)) return;
			refused.push(row);
			kin.giveUpOn(row);
		}
	};
}
function send(pid, signal) {
	try {
		process.kill(pid, signal);
		return true;
	} catch (error) {
		return !(error instanceof Error && "code" in error && error.code === "EPERM");
	}
}
// src/kit/process/capture.ts
const MAX_BYTES = 67108864;
const KILLED_WITHIN_MS = 5e3;
const DRAINED_WITHIN_MS = 5e3;
async function capture(request) {
	try {
		const child = start(request);
		if (child.pid === void 0) return neverStarted((await (0, node_events.once)(child, "error"))[0]);
		return await attend(child, child.pid, request);
	} catch (error) {
		return neverStarted(error);
	}
}
function start({ file, args, cwd, env, marker }) {
	return spawn(file, [...args], {
		cwd,
		env: marker === void 0 ? env : {
			...env,
			[markerVariable]: marker
		},
		stdio: [
			"ignore",
			"pipe",
			"pipe"
		],
		detached: process.platform !== "win32",
		windowsHide: true
	});
}
async function attend(child, pid, { timeoutMs, marker }) {
	const identity = marker === void 0 ? null : identityOf(pid);
	const closed = (0, node_events.once)(child, "close").catch(() => void 0);
	let killedFor = null;
	const kill = (reason) => {
		killedFor ??= reason;
		killGroup(pid);
	};
	const output = collect(child, () => kill(`it printed more than ${MAX_BYTES} bytes`));
	const code = await exitOf(child, timeoutMs, () => kill(`it took longer than ${timeoutMs / 1e3} s`));
	if (identity) await sweep(openKin({
		known: [identity],
		session: identity,
		isOurMarker: (found) => found === marker
	})).catch(() => void 0);
	await within(DRAINED_WITHIN_MS, closed);
	for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
	if (killedFor !== null) return {
		code: null,
		started: true,
		stdout: output.stdout(),
		stderr: killedFor
	};
	return {
		code,
		started: true,
		stdout: output.stdout(),
		stderr: output.stderr()
	};
}
function collect(child, onTooMuch) {
	const chunks = {
		stdout: [],
		stderr: []
	};
	let bytes = 0;
	for (const name of ["stdout", "stderr"]) child[name]?.on("data", (chunk) => {
		bytes += chunk.length;
		if (bytes > MAX_BYTES) onTooMuch();
		else chunks[name].push(chunk);
	});
	return {
		stdout: () => Buffer.concat(chunks.stdout).toString(),
		stderr: () => Buffer.concat(chunks.stderr).toString()
	};
}
async function exitOf(child, timeoutMs, onTimeout) {
	const exit = (0, node_events.once)(child, "exit").then(([code]) => code);
	const early = await within(timeoutMs, exit);
	if (early !== "too late") return early;
	onTimeout();
	const late = await within(KILLED_WITHIN_MS, exit);
	return late === "too late" ? null : late;
}
async function within(ms, work) {
	const timer = new AbortController();
	try {
		return await Promise.race([work, setTimeout(ms, "too late", { signal: timer.signal })]);
	} finally {
		timer.abort();
	}
}
function killGroup(pid) {
	try {
		if (process.platform === "win32") killTreeOnWindows(pid);
		else process.kill(-pid, "SIGKILL");
	} catch {}
}
function neverStarted(error) {
	return {
		code: null,
		started: false,
		stdout: "",
		stderr: error instanceof Error ? error.message : String(error)
	};
}
// src/kit/pure/without-git-variables.ts
const LED_ELSEWHERE = /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|COMMON_DIR|SHALLOW_FILE|GRAFT_FILE|NAMESPACE|[A-Z]+_PATHSPECS)$/;
function withoutGitVariables(env) {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !LED_ELSEWHERE.test(name)));
}
// src/wiring/hooks/dirty-paths.ts
const TIMEOUT_MS = 15e3;
const STATUS = [
	"--no-optional-locks",
	"-c",
	"core.fsmonitor=false",
	"status",
	"--porcelain",
	"-z"
];
async function dirtyPaths(cwd, env) {
	const { code, stdout } = await capture({
		file: "git",
		args: STATUS,
		cwd,
		env: withoutGitVariables(env),
		timeoutMs: TIMEOUT_MS
	});
	return code === 0 ? pathsIn(stdout).filter((path) => !/(^|\/)\.ralph-active$/.test(path)) : [];
}
function pathsIn(status) {
	const fields = status.split("\0");
	return fields.flatMap((field, index) => field === "" || /^[RC]/.test(fields[index - 1] ?? "") ? [] : [field.slice(3)]);
}
// src/wiring/hooks/form-file.ts
function readFormFile(path) {
	const text = readRegular(path);
	if (text !== null) return {
		kind: "text",
		text
	};
	return (0, node_fs.lstatSync)(path, { throwIfNoEntry: false }) === void 0 ? { kind: "missing" } : {
		kind: "refused",
		why: "is no regular file that can be read"
	};
}
// src/wiring/hooks/marked-stories.ts
const STOP_BLOCKS = 3;
function markedStories({ root, marker }, { env, ours }) {
	const plan = (0, node_path.join)(root, marker.ralphDir, "tasks.json");
	return {
		place: {
			root: realOf(root),
			folder: marker.ralphDir,
			mode: marker.iterationMode,
			ours: ours.map(realOf)
		},
		stopBlocks: STOP_BLOCKS,
		problems: async () => formProblems(readFormFile(plan), marker),
		dirtyPaths: () => dirtyPaths(root, env),
		refused: async () => void 0
	};
}
function formProblems(form, { skipReview, reviewCap: cap, iterationMode: mode, preIterationSnapshot: before }) {
	const { plan, problems } = form.kind === "text" ? readStories(form.text) : {
		plan: null,
		problems: [readForm(form).problem ?? ""]
	};
	if (plan === null) return prefixed("Task list validation failed: ", problems);
	const wrong = integrityProblems(plan, {
		skipReview,
		cap
	});
	const others = (before === null || mode === null ? [] : transitionProblems(before, plan, {
		mode,
		skipReview,
		cap
	})).filter((problem) => !wrong.includes(problem));
	return [...prefixed("Review integrity check failed: ", wrong), ...prefixed("Transition validation failed: ", others)];
}
const prefixed = (prefix, problems) => problems.map((problem) => `${prefix}${problem}`);
// src/wiring/hooks/read-stdin.ts
const MOST_BYTES = 8388608;
const PIECE_BYTES = 65536;
async function readStdin() {
	const chunks = [];
	let bytes = 0;
	for await (const chunk of stdin()) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES) return void 0;
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString("utf8"));
	} catch {
		return;
	}
}
async function* stdin() {
	try {
		for (let length = -1; length !== 0;) {
			const piece = Buffer.allocUnsafe(PIECE_BYTES);
			length = (0, node_fs.readSync)(0, piece);
			yield piece.subarray(0, length);
		}
		return;
	} catch (error) {
		if (!hasCode(error, "EAGAIN")) return;
	}
	yield* process.stdin;
}
// src/kit/files/open-fresh.ts
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = node_fs.constants;
function openFresh(path) {
	remove$1(path);
	return (0, node_fs.openSync)(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 384);
}
function writeFresh(path, content) {
	const fd = openFresh(path);
	try {
		(0, node_fs.writeFileSync)(fd, content);
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function remove$1(path) {
	const found = (0, node_fs.lstatSync)(path, { throwIfNoEntry: false });
	if (found === void 0) return;
	if (found.isCharacterDevice() || found.isBlockDevice()) throw new Error(`${path} is a device`);
	(0, node_fs.unlinkSync)(path);
}
// src/wiring/hooks/session-files.ts
const ALERTS = "claude-context-alerts-";
const BLOCKS = "claude-stop-blocks-";
const LONGEST_ID = 100;
function openSessionFiles(folder) {
	const at = (what, session) => (0, node_path.join)(folder, what + session.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, LONGEST_ID));
	return {
		told: (session) => readNumber(at(ALERTS, session)),
		blocks: (session) => readNumber(at(BLOCKS, session)),
		keepTold: (session, threshold) => keepNumber(at(ALERTS, session), threshold),
		keepBlocks: (session, blocks) => keepNumber(at(BLOCKS, session), blocks),
		forget(session) {
			for (const what of [ALERTS, BLOCKS]) remove(at(what, session));
		}
	};
}
function readNumber(path) {
	const fd = openRegular(path);
	if (fd === null) return 0;
	try {
		const isOurs = (0, node_fs.fstatSync)(fd).uid === (process.getuid?.() ?? (0, node_fs.fstatSync)(fd).uid);
		const bytes = Buffer.alloc(16);
		const text = bytes.toString("latin1", 0, (0, node_fs.readSync)(fd, bytes, 0, bytes.length, 0)).trim();
		return isOurs && /^\d{1,9}$/.test(text) ? Number(text) : 0;
	} catch {
		return 0;
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function keepNumber(path, number) {
	try {
		writeFresh(path, `${number}\n`);
		return true;
	} catch {
		return false;
	}
}
function remove(path) {
	try {
		(0, node_fs.unlinkSync)(path);
	} catch {}
}
// src/wiring/hooks/run-hook.ts
const DENIED = 2;
async function runHook(name, folder) {
	if (!isHookName(name)) {
		complain(`there is no hook ${JSON.stringify(name ?? "")}: it is one of ${HOOK_NAMES.join(", ")}`);
		return 2;
	}
	try {
		const env = environment();
		const input = await readStdin();
		const answer = await answerTo(name, input, {
			found: findMarker([
				readHookInput(input).cwd,
				env["CLAUDE_PROJECT_DIR"],
				process.cwd()
			]),
			env,
			folder
		});
		if (answer !== null) (0, node_fs.writeSync)(1, `${JSON.stringify(answer)}\n`);
		return 0;
	} catch (error) {
		complain(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
		return name === "guard" ? DENIED : 0;
	}
}
async function answerTo(name, input, around) {
	for (const socket of socketsOf(around)) {
		const answer = await askLoop(socket, name, input);
		if (answer !== void 0) return answer;
	}
	return await answerHook(name, input, worldWithoutLoop(around));
}
function socketsOf({ found, env }) {
	const { pid = null, socket = null } = found?.marker ?? {};
	const isThere = pid !== null && identityOf(pid) !== null;
	return new Set([env["RALPH_SOCKET"], isThere ? socket : null].filter((path) => typeof path === "string" && path !== ""));
}
function worldWithoutLoop({ found, env, folder }) {
	const ours = [env["CLAUDE_PLUGIN_ROOT"] || folder];
	return {
		stories: async () => found === null ? null : markedStories(found, {
			env,
			ours
		}),
		sessions: openSessionFiles((0, node_os.tmpdir)()),
		env,
		model: () => null,
		warn: complain
	};
}
function complain(text) {
	(0, node_fs.writeSync)(2, `ralph hook: ${text}\n`);
}
// src/cli/hook.ts
const [first, second] = process.argv.slice(2);
runHook(first === "hook" ? second : first, __dirname).then((code) => {
	process.exitCode = code;
});
