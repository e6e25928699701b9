// The entry point of the image: writes the configuration from the environment and becomes FreeSWITCH's parent until it ends.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSwitchSettings } from './switch-settings.ts';
import { writeConfiguration } from './write-configuration.ts';

const { env } = process;
/** Survives a restart: recordings that were not uploaded yet. */
const dataDir = env.DATA_DIR || '/var/lib/freeswitch';
/** Written anew at each start. */
const runDir = env.RUN_DIR || '/run/freeswitch';
const directory = (root: string, name: string) => {
  const made = path.join(root, name);
  mkdirSync(made, { recursive: true });
  return made;
};

const certsDir = env.CERTS_DIR || directory(runDir, 'certs');
const settings = readSwitchSettings({
  LOG_FILE: path.join(directory(runDir, 'log'), 'freeswitch.log'),
  CACHE_DIR: directory(runDir, 'http'),
  MUSIC_DIR: directory(runDir, 'music'),
  ...env,
  CERTS_DIR: certsDir,
});
const confDir = directory(runDir, 'conf');
writeConfiguration(settings, confDir);
// A certificate in Kubernetes' format; FreeSWITCH needs certificate and key in one file.
if (env.TLS_CERT_FILE && env.TLS_KEY_FILE) {
  const both = `${readFileSync(env.TLS_CERT_FILE, 'utf8')}\n${readFileSync(env.TLS_KEY_FILE, 'utf8')}`;
  writeFileSync(path.join(certsDir, 'wss.pem'), both, { mode: 0o600 });
}
// Registrations of the run before are of phones that are not connected any more.
const dbDir = directory(runDir, 'db');
for (const name of readdirSync(dbDir)) if (name.startsWith('sofia_reg_')) rmSync(path.join(dbDir, name));

const places = {
  '-conf': confDir,
  '-log': directory(runDir, 'log'),
  '-db': dbDir,
  '-run': directory(runDir, 'run'),
  '-temp': directory(runDir, 'temp'),
  '-cache': directory(runDir, 'cache'),
  '-certs': certsDir,
  '-recordings': directory(dataDir, 'recordings'),
  '-storage': directory(dataDir, 'storage'),
};
const freeswitch = spawn(env.FREESWITCH || 'freeswitch', ['-nf', '-nc', '-nonat', ...Object.entries(places).flat()], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { PATH: env.PATH, HOME: runDir },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => freeswitch.kill('SIGTERM'));
freeswitch.once('error', (error) => {
  console.error(`start: FreeSWITCH could not be started: ${error.message}`);
  process.exit(1);
});
freeswitch.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
