import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { queryClient } from '../api/query-client.ts';
import { useIsLive, useLiveChannel } from '../live/live-channel.ts';
import { PhoneRegion } from '../phone/phone-region.tsx';
import { Announcements } from '../ui/announcements.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { AccountMenu } from './account-menu.tsx';
import { DoNotDisturbSwitch } from './do-not-disturb.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { sections } from './sections.ts';
import { ServerPage } from './server-page.tsx';

/** Rendered by the server; see `ServerPage`. */
const SERVER_PAGES = ['/api-keys', '/connected-apps', '/sessions', '/security', '/password', '/addresses/:id'];

export function App(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base="/dashboard">
        <Layout />
      </Router>
    </QueryClientProvider>
  );
}

function Layout(): ReactNode {
  useLiveChannel();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top-bar">
        <span className="brand">Parley</span>
        <ConnectionState />
        <DoNotDisturbSwitch />
        <AccountMenu />
      </header>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>
          <Suspense fallback={<p className="soft">Loading…</p>}>
            <Pages />
          </Suspense>
        </ErrorBoundary>
      </main>
      <PhoneRegion />
      <Announcements />
    </>
  );
}

function Pages(): ReactNode {
  return (
    <Switch>
      {sections.map(({ path, Pages: Section }) => (
        <Route key={path} path={path} nest>
          <Section />
        </Route>
      ))}
      {SERVER_PAGES.map((path) => (
        <Route key={path} path={path} component={ServerPage} />
      ))}
      <Route path="/">
        <Redirect to={sections[0]!.path} replace />
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function ConnectionState(): ReactNode {
  const isLive = useIsLive();
  return (
    <span role="status" className="connection-state">
      {isLive ? '' : 'Reconnecting… What is shown may be out of date.'}
    </span>
  );
}
