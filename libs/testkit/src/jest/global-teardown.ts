import './global-setup.ts';

/** After the last test: stops what the setup started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.parleyTestServers?.stop();
}

// Jest loads this file with `require`.
export { globalTeardown as 'module.exports' };
