import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Chromium on this machine, which PARLEY_CHROMIUM overrides. Undefined when there is none. */
export const browserPath: string | undefined = [process.env['PARLEY_CHROMIUM'], ...PLACES].find(
  (place) => place !== undefined && place !== '' && existsSync(place),
);

/**
 * Starts it without a window. Its own sandbox needs a kernel feature that containers and root do not have. The microphone plays the
 * file again and again, which is read when a page asks for it; it beeps without one.
 */
export function startBrowser(microphoneFile?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-zygote',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...(microphoneFile === undefined
        ? []
        : ['--autoplay-policy=no-user-gesture-required', `--use-file-for-fake-audio-capture=${microphoneFile}`]),
    ],
  });
}
