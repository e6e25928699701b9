import { navigate } from 'wouter/use-browser-location';

/** A service worker caches the files of the installed application. A page in a browser needs none. */
export function cacheFilesWhenInstalled(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register('/assets/worker.js', { scope: '/dashboard/' });
  if (matchMedia('(display-mode: standalone)').matches) register();
  else addEventListener('appinstalled', register);
}

/** A notification that was clicked leads to its thread in an open window, without loading the page again: a call may be in progress. */
export function followNotifications(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ path?: unknown }>) => {
    if (typeof data.path === 'string' && data.path.startsWith('/dashboard/')) navigate(data.path);
  });
  navigator.serviceWorker.startMessages();
}
