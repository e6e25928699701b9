import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { CallList } from './call-list.tsx';

/** Code that the list does not need. */
const CallPage = lazy(() => import('./call-page.tsx'));

export default function CallPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={CallList} />
      <Route path="/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
