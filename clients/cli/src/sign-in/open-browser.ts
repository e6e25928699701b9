import { spawn } from 'node:child_process';
import type { System } from '../system.ts';

/** Opens an address in the user's browser; false where there is none, such as on a server. */
export function openBrowser(url: string, { env, platform }: Pick<System, 'env' | 'platform'>): Promise<boolean> {
  const command = browserCommand(url, env, platform);
  if (!command) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

type Command = readonly [program: string, ...args: string[]];

export function browserCommand(url: string, env: System['env'], platform: NodeJS.Platform): Command | undefined {
  const { BROWSER: browser, DISPLAY: display, WAYLAND_DISPLAY: wayland } = env;
  if (browser) return [browser, url];
  if (platform === 'darwin') return ['open', url];
  // Without a shell, in which "&" would end the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return display || wayland ? ['xdg-open', url] : undefined;
}
