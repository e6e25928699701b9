import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { queryClient } from '../api/query-client.ts';
import { locale } from '../i18n/locale.ts';
import { t } from '../i18n/translate.ts';
import { useIsLive, useLiveChannel } from '../live/live-channel.ts';
import { useEndedConversation } from '../phone/ended-conversation.ts';
import { PhoneRegion } from '../phone/phone-region.tsx';
import { Announcements } from '../ui/announcements.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { useShortcut, useShortcuts } from '../ui/shortcuts.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './app.module.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyPart } from './lazy-part.tsx';
import { Navigation } from './navigation.tsx';
import { ACCOUNT_PAGES, sections } from './sections.ts';
import './shared-parts.ts';

const Palette = lazyPart(() => import('./palette.tsx'));
const AfterCall = lazyPart(() => import('./after-call.tsx'));
const ShortcutsHelp = lazyPart(() => import('./shortcuts-help.tsx'));

const AccountPages = lazyPart(() => import('../settings/account/index.tsx'));

export function App(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={locale}>
        <Router base="/dashboard">
          <Layout />
        </Router>
      </I18nProvider>
    </QueryClientProvider>
  );
}

function Layout(): ReactNode {
  const [open, setOpen] = useState<'palette' | 'help'>();
  const [endedCallId, forgetEndedCall] = useEndedConversation();
  useLiveChannel();
  useShortcuts();
  useShortcut('ctrl+k', () => setOpen('palette'));
  useShortcut('?', () => setOpen('help'));
  useShortcut('/', () => document.querySelector<HTMLElement>('[data-search]')?.focus());
  return (
    <>
      <div className={styles['shell']}>
        <a className={styles['skip']} href="#main">
          {t('Skip to content')}
        </a>
        <PhoneRegion />
        <Navigation onSearch={() => setOpen('palette')} />
        <AccountMenu onHelp={() => setOpen('help')} />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <ConnectionState />
          <div className={styles['panel']}>
            <Pages />
          </div>
        </main>
      </div>
      <Announcements />
      <ErrorBoundary address={open ?? ''} fallback={null}>
        <Suspense fallback={null}>
          {endedCallId !== undefined && <AfterCall key={endedCallId} callId={endedCallId} onClose={forgetEndedCall} />}
          {open === 'palette' && <Palette onClose={() => setOpen(undefined)} onHelp={() => setOpen('help')} />}
          {open === 'help' && <ShortcutsHelp onClose={() => setOpen(undefined)} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function Pages(): ReactNode {
  const [address] = useLocation();
  return (
    <ErrorBoundary address={address}>
      <Suspense fallback={<SkeletonRows what={t('Loading…')} />}>
        <Switch>
          {sections.map(({ path, isOnePage = false, Pages: Section }) => (
            <Route key={path} path={path} nest={!isOnePage}>
              <Section />
            </Route>
          ))}
          {ACCOUNT_PAGES.map((path) => (
            <Route key={path} path={path} component={AccountPages} />
          ))}
          <Route path="/">
            <Redirect to="/inbox" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function ConnectionState(): ReactNode {
  const isLive = useIsLive();
  return (
    <div role="status" className={styles['connection']}>
      {isLive ? '' : t('Reconnecting… What is shown may be out of date.')}
    </div>
  );
}
