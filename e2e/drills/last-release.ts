import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@parley/local';
import { CannotRun, type Drill } from './drill.ts';

const REPO = path.resolve(import.meta.dirname, '../..');
const INSTALL_MS_MAX = 420_000;
const run = promisify(execFile);

/** A release in a folder of its own. */
export interface InstalledRelease {
  /** Such as `0.3.0`. */
  readonly version: string;
  readonly checkout: string;
  /** Services that it does not have yet. */
  readonly added: readonly string[];
}

/** The last release, as a person installs it: its own bootstrap brings what its lockfile names. */
export async function installLastRelease({ defer }: Pick<Drill, 'defer'>): Promise<InstalledRelease> {
  const { version, commit } = await lastRelease();
  const checkout = await mkdtemp(path.join(tmpdir(), 'parley-release-'));
  defer(() => rm(checkout, { recursive: true, force: true }));
  await run('sh', ['-c', `git -C "${REPO}" archive ${commit} | tar -x -C "${checkout}"`]);
  const program = path.join('deploy', 'local', 'src', 'services.ts');
  await run(process.execPath, [path.join(checkout, 'deploy/bootstrap/bootstrap.mjs'), program], {
    cwd: checkout,
    timeout: INSTALL_MS_MAX,
  });
  const added = serviceNames.filter((name) => !existsSync(path.join(checkout, 'services', name)));
  return { version, checkout, added };
}

/** The newest tag of a version, or the commit that made the release where tags were not fetched. */
async function lastRelease(): Promise<{ version: string; commit: string }> {
  const git = async (...args: string[]) => (await run('git', ['-C', REPO, ...args])).stdout.trim();
  try {
    const [tag] = (await git('tag', '--list', 'v*', '--sort=-v:refname', '--merged')).split('\n');
    if (tag) return { version: tag.slice('v'.length), commit: tag };
    const [commit = '', subject = ''] = (await git('log', '-1', '--format=%H%n%s', '--grep=^Release [0-9]')).split(
      '\n',
    );
    const [, version] = /^Release ([\d.]+\d)/.exec(subject) ?? [];
    if (version) return { version, commit };
  } catch (error) {
    throw new CannotRun(`git does not answer: ${(error as Error).message}`);
  }
  throw new CannotRun('there is no release in the history of this checkout');
}
