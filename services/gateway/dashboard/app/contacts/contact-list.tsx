import { memo, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Contact } from '../api/schema.d.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { contactTitle } from './contact-fields.ts';
import { useContacts } from './contact-queries.ts';

export function ContactList(): ReactNode {
  const [, navigate] = useLocation();
  const filters = useFilters();
  const [typed, setTyped] = useTextFilter(filters, 'query');
  const search = filters.get('query');
  const contacts = useContacts(search);
  return (
    <Page
      title="Contacts"
      actions={
        <button type="button" onClick={() => navigate('/new')}>
          New contact
        </button>
      }
    >
      <div className="filters">
        <SearchField label="Search contacts" value={typed} onChange={setTyped} />
      </div>
      <QueryState query={contacts} what="contacts">
        {({ pages }) => {
          const all = pages.flatMap((page) => page.contacts);
          return all.length > 0 ? <ContactTable contacts={all} /> : <NoContacts search={search} />;
        }}
      </QueryState>
      <LoadMore {...contacts} />
    </Page>
  );
}

function NoContacts({ search }: { search: string }): ReactNode {
  return (
    <p role="status">
      {search ? `No contact has “${search}” in name, company, e-mail address or number.` : 'There are no contacts yet.'}
    </p>
  );
}

function ContactTable({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table aria-label="Contacts">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Phone</th>
            <th scope="col">Company</th>
            <th scope="col">Email</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <ContactRow key={contact.id} contact={contact} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Thousands may be loaded: those that are shown already are not rendered again with every page. */
const ContactRow = memo(function ContactRow({ contact }: { contact: Contact }): ReactNode {
  return (
    <tr>
      <th scope="row">
        <Link href={`/${contact.id}`}>{contactTitle(contact)}</Link>
      </th>
      <td className="no-wrap">{contact.phone_formatted}</td>
      <td>{contact.company_name}</td>
      <td>{contact.email}</td>
    </tr>
  );
});
