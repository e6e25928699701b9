// The entry point of the image: writes the configuration from the environment and becomes Kamailio's parent until it ends.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { readEdgeSettings } from './edge-settings.ts';
import { writeEdge } from './render-edge.ts';

const { env } = process;
const directory = env.RUN_DIR || '/run/kamailio';
writeEdge(readEdgeSettings(env), directory);
const args = ['-DD', '-E', '-Y', directory, '-w', directory, '-f', path.join(directory, 'kamailio.cfg')];
const kamailio = spawn(env.KAMAILIO || 'kamailio', args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { PATH: env.PATH, HOME: directory },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => kamailio.kill('SIGTERM'));
kamailio.once('error', (error) => {
  console.error(`start: Kamailio could not be started: ${error.message}`);
  process.exit(1);
});
kamailio.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
