export default async function globalTeardown(): Promise<void> {
  await globalThis.parleyStack?.stop();
  await globalThis.parleyStackServers?.stop();
}

// Jest loads this file with `require`.
export { globalTeardown as 'module.exports' };
