// Runs on whatever Node.js the machine has (20.19 or newer) with nothing installed yet:
// brings Node.js 24 and pnpm from npm, installs the workspace with them, then runs the named
// program of the workspace under Node.js 24 in its own process and passes signals on to it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const platform = `${process.platform}-${process.arch}`;
const nodeDir = path.join(here, 'node_modules', `node-${platform}`, 'bin');
const node = path.join(nodeDir, 'node');
const pnpmModules = path.join(here, 'pnpm', 'node_modules');
const pnpm = path.join(pnpmModules, '@pnpm', `exe.${platform}`, 'pnpm');

const parent = process.ppid;
const startedByNpm = process.env.npm_lifecycle_event !== undefined;
const [program, ...args] = process.argv.slice(2);
const env = workspaceEnvironment();

if (!existsSync(node)) {
  say('bringing Node.js 24 from the npm registry (once, about 125 MB) …');
  await bring(here);
  if (!existsSync(node)) fail(`there is no Node.js 24 package for ${platform}; Linux on x64 or arm64 is needed`);
  // A third of the package is headers for compiling native modules; there are none.
  rmSync(path.join(nodeDir, '../include'), { recursive: true, force: true });
}
await oncePerLockfile(async (selection) => {
  say('installing the workspace (once per lockfile) …');
  if (!existsSync(pnpm)) await bring(path.dirname(pnpmModules));
  await run(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn', ...selection]);
  // 60 MB that a stack does not run; npm's cache has it when the lockfile changes.
  if (selection.length > 0) rmSync(pnpmModules, { recursive: true });
});
process.exit(await start(node, ['--disable-warning=ExperimentalWarning', path.join(root, program), ...args]));

/**
 * The environment without what npm adds for its own children, with our Node.js in front. Its cache halves what loading
 * a process costs from the second start on.
 */
function workspaceEnvironment() {
  const { npm_config_user_agent, npm_execpath, npm_lifecycle_event, npm_node_execpath, NODE, ...clean } = process.env;
  return {
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/parley/compile'),
    ...clean,
    PATH: [nodeDir, path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
  };
}

/**
 * Does `work` unless it was already done for exactly this lockfile (which names every package's dependencies). The stack
 * runs without the tools of tests and checks, which are half of everything: they are installed when one of them is first run,
 * and from then on kept.
 */
async function oncePerLockfile(work) {
  const stamp = path.join(root, 'node_modules', '.parley-installed');
  const hash = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    hash.update(readFileSync(path.join(root, file)));
  const everything = hash.digest('hex');
  const stackOnly = `${everything} stack`;
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const isEnough = program.startsWith('deploy/local/') && (installed === '' || installed.endsWith(' stack'));
  if (installed === everything || (isEnough && installed === stackOnly)) return;
  await work(isEnough ? ['--prod', '--filter-prod=@parley/local...'] : []);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, isEnough ? stackOnly : everything);
}

/** Installs the packages of a folder with the machine's npm. */
async function bring(folder) {
  await run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

async function run(command, commandArgs) {
  const code = await start(command, commandArgs);
  if (code !== 0)
    fail(`${path.basename(command)} ${commandArgs[0]} failed (exit code ${code}); is the npm registry reachable?`);
}

/** Runs a command to its end; the closed channel notifies it when this process is killed. */
function start(command, commandArgs) {
  const child = spawn(command, commandArgs, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const watch = setInterval(() => npmIsGone() && child.kill('SIGTERM'), 1000);
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`cannot run ${command}: ${error.message}`));
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** If npm is killed, its children keep running and must be stopped here. */
function npmIsGone() {
  return startedByNpm && process.ppid !== parent;
}

function say(text) {
  console.error(`parley: ${text}`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
