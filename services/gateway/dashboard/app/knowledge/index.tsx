import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { KnowledgeList } from './knowledge-list.tsx';

/** Code that the list does not need. */
const EntryPage = lazy(() => import('./entry-page.tsx'));

export default function KnowledgePages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={KnowledgeList} />
      <Route path="/:id">{({ id }) => <EntryPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
