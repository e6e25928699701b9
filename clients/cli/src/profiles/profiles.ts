import path from 'node:path';
import type { OAuthTokens } from '@parley/sdk';
import { wrongUsage } from '../errors.ts';
import type { System } from '../system.ts';
import { configFolder } from './config-folder.ts';
import { withFileLock } from './file-lock.ts';
import { createPrivateFile, readPrivateFile, removeFile, writePrivateFile } from './private-files.ts';
import { newSigningSecret } from './signing-secret.ts';

/** Where somebody is signed in. */
export interface Profile {
  readonly base_url: string;
  readonly client_id: string;
  readonly tokens: OAuthTokens;
}

export const DEFAULT_PROFILE = 'default';

/** What the command line keeps under one name. */
export interface ProfileStore {
  readonly name: string;
  readonly file: string;
  /** Undefined when nobody is signed in. */
  read(): Promise<Profile | undefined>;
  write(profile: Profile): Promise<void>;
  remove(): Promise<void>;
  /** Runs `work` while no other process refreshes the tokens. */
  locked<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What `listen` signs with; made when it is first needed. */
  signingSecret(): Promise<string>;
  /** Where the last `listen` has ended, by company. */
  position(company: string): Promise<string | undefined>;
  setPosition(company: string, cursor: string): Promise<void>;
}

export function openProfile(name: string, env: System['env']): ProfileStore {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
    throw wrongUsage('the name of a profile has 1 to 64 letters, digits, dashes and underscores');
  const base = path.join(configFolder(env), 'profiles', name);
  const [file, secretFile, positionsFile] = [`${base}.json`, `${base}.signing-secret`, `${base}.positions.json`];
  const positions = async () => parsed<Record<string, string>>(await readPrivateFile(positionsFile)) ?? {};
  return {
    name,
    file,
    async read() {
      const text = await readPrivateFile(file);
      if (text === undefined) return undefined;
      const profile = parsed<Partial<Profile>>(text);
      if (typeof profile?.base_url === 'string' && typeof profile.client_id === 'string' && profile.tokens)
        return profile as Profile;
      throw wrongUsage(`${file} is damaged`, `Remove it with "rm ${file}" and sign in again.`);
    },
    write: (profile) => writePrivateFile(file, `${JSON.stringify(profile, undefined, 2)}\n`),
    remove: () => removeFile(file),
    locked: (work) => withFileLock(`${base}.lock`, work),
    signingSecret: async () =>
      ((await readPrivateFile(secretFile)) ?? (await createPrivateFile(secretFile, newSigningSecret()))).trim(),
    position: async (company) => (await positions())[company],
    async setPosition(company, cursor) {
      const text = JSON.stringify({ ...(await positions()), [company]: cursor });
      // After every event: one that is forwarded again after a power failure does no harm.
      await writePrivateFile(positionsFile, text, { survivesPowerFailure: false });
    },
  };
}

/** Undefined when it is no JSON object. */
function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}
