export default async function globalTeardown(): Promise<void> {
  await globalThis.parleyStack?.stop();
  await globalThis.parleyStackServers?.stop();
}
