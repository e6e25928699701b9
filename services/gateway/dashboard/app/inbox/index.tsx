import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { InboxPage } from './inbox-page.tsx';
import { ThreadPage } from './thread-page.tsx';

export default function InboxPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={InboxPage} />
      <Route path="/:phoneNumber">{({ phoneNumber }) => <ThreadPage key={phoneNumber} path={phoneNumber} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
