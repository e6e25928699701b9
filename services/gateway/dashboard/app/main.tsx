import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { language } from './i18n/locale.ts';
import { loadCatalogue } from './i18n/load-catalogue.ts';
import { App } from './shell/app.tsx';
import { followNotifications, keepFilesWhenInstalled } from './shell/installed.ts';
import { keepPushMessages } from './settings/push-browser.ts';
import { theme } from './shell/theme.ts';

theme.apply();
keepFilesWhenInstalled();
followNotifications();
// A browser that cannot be added now is added with the next load of the page.
keepPushMessages().catch(() => undefined);
document.documentElement.lang = language;
await loadCatalogue();
createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
