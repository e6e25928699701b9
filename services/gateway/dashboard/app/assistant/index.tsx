import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { isAdmin } from '../session.ts';
import { NotFound } from '../ui/not-found.tsx';
import { AssistantList } from './assistant-list.tsx';

/** Code that the list does not need. */
const AssistantPage = lazy(() => import('./assistant-page.tsx'));
const NewAssistant = lazy(() => import('./new-assistant.tsx'));

export default function AssistantPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={AssistantList} />
      {isAdmin && <Route path="/new" component={NewAssistant} />}
      <Route path="/:id">{({ id }) => <AssistantPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
