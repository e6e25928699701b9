import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { NumberList } from './number-list.tsx';

/** Code that the list does not need. */
const NumberPage = lazy(() => import('./number-page.tsx'));

export default function NumbersPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={NumberList} />
      <Route path="/:id">{({ id }) => <NumberPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
