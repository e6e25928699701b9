import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { EventList } from './event-list.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookPage } from './webhook-page.tsx';

export default function WebhooksPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={WebhookList} />
      <Route path="/events" component={EventList} />
      <Route path="/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
