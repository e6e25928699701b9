/** Where the application is installed, a worker keeps its files. A page in a browser needs none. */
export function keepFilesWhenInstalled(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register('/assets/worker.js', { scope: '/dashboard/' });
  if (matchMedia('(display-mode: standalone)').matches) register();
  else addEventListener('appinstalled', register);
}
