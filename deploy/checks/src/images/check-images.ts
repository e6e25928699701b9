// A smoke test of every image, as one command: npm run image-check -- [REPOSITORY [TAG]]
// Needs docker, podman or nerdctl, and the images, which are pulled or built before: <repository>/<service>:<tag>.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readServiceFacts } from '../manifests/service-facts.ts';
import { root } from '../root.ts';
import { type Finished, imageProblems } from './image-problems.ts';

const PROGRAMS = ['docker', 'podman', 'nerdctl'];

function run(program: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      resolve({ code, output: stdout + stderr });
    });
  });
}

async function firstThatWorks(): Promise<string | undefined> {
  for (const program of PROGRAMS) if ((await run(program, ['info'])).code === 0) return program;
  return undefined;
}

const program = await firstThatWorks();
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const [repository = 'parley', tag = version] = process.argv.slice(2);
if (program === undefined) {
  console.error(`image-check needs one of ${PROGRAMS.join(', ')}, with its daemon running where it has one`);
  process.exit(2);
}
let failed = 0;
for (const [service, { mongodb }] of Object.entries(readServiceFacts(root))) {
  const image = `${repository}/${service}:${tag}`;
  const problems = await imageProblems({ service, image, hasDatabase: mongodb }, (...args) => run(program, args));
  console.log(problems.length === 0 ? `ok   ${image}` : problems.map((problem) => `FAIL ${problem}`).join('\n'));
  if (problems.length > 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
