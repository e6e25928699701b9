import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/embedded';
import { buildWheel, neededWheels, pythonEnvironment } from '@parley/python-sdk/environment';
import * as commandLine from '../../clients/cli/build/publishable.ts';
import * as conformance from '../../clients/conformance/build/publishable.ts';
import { packed, type Packed } from '../../clients/typescript/build/packed.ts';
import * as sdk from '../../clients/typescript/build/publishable.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { allow } from '../identity/app.ts';
import { visit } from '../identity/visitor.ts';
import { createTestCompany } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { startPackageRegistry } from './package-registry.ts';

/** The computer of somebody who follows a guide: programs, and the packages that can be installed there. */
export interface Computer {
  /** Why there is no Python. */
  readonly withoutPython?: string;
  /** A home and an empty folder, with the environment of a terminal. */
  newFolder(): Promise<{ folder: string; scratch: string; environment: Record<string, string> }>;
  stop(): Promise<void>;
}

/** npm asks nobody else and says less. */
const QUIET = ['audit=false', 'fund=false', 'update-notifier=false'];

/** Packs the clients, once for all guides. */
export async function startComputer(): Promise<Computer> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'parley-guides-'));
  const [clients, python] = await Promise.all([packedClients(scratch), pythonClient(scratch)]);
  const registry = await startPackageRegistry(clients);
  const programs = [path.dirname(process.execPath), ...(python.programs ?? []), process.env['PATH']].join(':');
  let folders = 0;
  return {
    ...(python.unavailable !== undefined && { withoutPython: python.unavailable }),
    async newFolder() {
      const own = path.join(scratch, `reader-${(folders += 1)}`);
      const [home, folder] = [path.join(own, 'home'), path.join(own, 'folder')];
      for (const made of [home, folder]) await mkdir(made, { recursive: true });
      const global = path.join(home, 'global');
      const settings = [`registry=${registry.url}/`, `prefix=${global}`, ...QUIET];
      await writeFile(path.join(home, '.npmrc'), settings.join('\n'));
      const environment = {
        PATH: `${path.join(global, 'bin')}:${programs}`,
        HOME: home,
        LANG: 'C.UTF-8',
        ...python.environment,
      };
      return { folder, scratch: own, environment };
    },
    async stop() {
      registry.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function packedClients(scratch: string): Promise<Packed[]> {
  return Promise.all(
    [sdk, commandLine, conformance].map(async (client) => {
      const folder = await mkdtemp(path.join(scratch, 'npm-'));
      return packed(client, folder);
    }),
  );
}

async function pythonClient(
  scratch: string,
): Promise<{ unavailable?: string; programs?: string[]; environment?: Record<string, string> }> {
  const found = await pythonEnvironment();
  if ('unavailable' in found) return found;
  const folder = path.join(scratch, 'wheels');
  await mkdir(folder);
  const wheel = await buildWheel(found.python, folder);
  const needed = await neededWheels(found.python, wheel);
  const environment = {
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: `${folder} ${needed}`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    // What is not imported need not be compiled.
    PIP_NO_COMPILE: '1',
  };
  return { programs: [path.dirname(found.python)], environment };
}

/** Somebody who follows a guide: with a computer, and at the installation a company with a number and a key. */
export interface Reader extends Pick<Computer, 'newFolder'> {
  readonly apiKey: string;
  /** A text of a guide with the addresses and the free port that the reader has instead. */
  own(text: string): string;
  /** Opens the page on which an app asks for access, signs in and allows it, as in a browser. */
  allow(address: string): Promise<void>;
}

/** `dataDir`: where the stack has written `local.json`. */
export async function openReader(computer: Computer, stack: LocalJson, dataDir: string): Promise<Reader> {
  const company = await createTestCompany(stack, { messaging_enabled: true });
  await createNumber(company, { name: 'Main line' }, stack);
  const { email, id: employeeId } = company.owner;
  const person = { ...visit(stack.base_url), email, employeeId, companyId: company.id, apiKey: company.apiKey };
  const addresses = [
    ['http://127.0.0.1:8080', stack.base_url],
    ['http://127.0.0.1:8081', stack.operator_url],
    ['http://127.0.0.1:8082', stack.sandbox_url],
    ['4010', String(await freePort(1))],
    ['…/.parley/', `${dataDir}/`],
  ] as const;
  return {
    newFolder: () => computer.newFolder(),
    apiKey: company.apiKey,
    own: (text) => addresses.reduce((changed, [written, own]) => changed.replaceAll(written, own), text),
    async allow(address) {
      await fetch(await allow(person, address.slice(stack.base_url.length)));
    },
  };
}
