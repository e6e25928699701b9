import { homedir } from 'node:os';
import path from 'node:path';
import type { System } from '../system.ts';

/** Where the user's programs keep their settings (XDG Base Directory Specification, which takes absolute paths only). */
export function configFolder(env: System['env']): string {
  const { XDG_CONFIG_HOME: configHome } = env;
  const base = configHome !== undefined && path.isAbsolute(configHome) ? configHome : path.join(homedir(), '.config');
  return path.join(base, 'parley');
}
