import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { language } from './i18n/locale.ts';
import { loadCatalogue } from './i18n/load-catalogue.ts';
import { App } from './shell/app.tsx';
import { followNotifications, cacheFilesWhenInstalled } from './shell/installed.ts';
import { renewPushSubscription } from './settings/push-browser.ts';
import { loadFirst } from './shell/sections.ts';
import { theme } from './shell/theme.ts';

/** The document has named what the first page needs, so that it is nearly there. When it is not, the frame is shown without it. */
const FIRST_MS_MAX = 200;

theme.apply();
cacheFilesWhenInstalled();
followNotifications();
// A browser that cannot be added now is added with the next load of the page.
renewPushSubscription().catch(() => undefined);
document.documentElement.lang = language;
await Promise.all([loadCatalogue(), firstPage()]);
createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

async function firstPage(): Promise<void> {
  // A failure is shown where the page would be.
  const loaded = loadFirst(location).catch(() => undefined);
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, FIRST_MS_MAX))]);
}
