import { lazy, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from '../ui/not-found.tsx';
import { ContactList } from './contact-list.tsx';
import { NewContact } from './new-contact.tsx';

/** Loaded on demand, because the list does not need the code of the contact page. */
const ContactPage = lazy(() => import('./contact-page.tsx'));
const ImportContacts = lazy(() => import('./import-contacts.tsx'));

export default function ContactPages(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={ContactList} />
      <Route path="/new" component={NewContact} />
      <Route path="/import" component={ImportContacts} />
      <Route path="/:id">{({ id }) => <ContactPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
