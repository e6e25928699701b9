import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { holdMusic } from './hold-music.ts';
import { renderConfiguration } from './render-configuration.ts';
import type { SwitchSettings } from './switch-settings.ts';

/** Writes the configuration into a directory, readable for its owner only: it has secrets. */
export function writeConfiguration(settings: SwitchSettings, directory: string): void {
  for (const [name, content] of renderConfiguration(settings)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
  }
  addMusic(settings.musicDir);
}

/** Without any file in it, the stream of music does not start. Music that is there is left alone. */
function addMusic(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length > 0) return;
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'waiting.wav'), holdMusic());
}
