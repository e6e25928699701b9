import { memo, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Contact } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { CallButton } from '../phone/call-button.tsx';
import { isAdmin } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, ButtonLink, DownloadLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconLink } from '../ui/icon-button.tsx';
import { BookUser, MessageSquare, Plus, SearchX, Upload } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Cell, PageTable, Row, RowActions, Table } from '../ui/table.tsx';
import { Name } from '../ui/text.tsx';
import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx';
import { contactTitle } from './contact-fields.ts';
import styles from './contact-list.module.css';
import { useContacts } from './contact-queries.ts';

const ROW_PX = 53;

export function ContactList(): ReactNode {
  const [, navigate] = useLocation();
  const filters = useFilters();
  const [typed, setTyped] = useTextFilter(filters, 'query');
  const search = filters.get('query');
  const contacts = useContacts(search);
  const create = () => navigate('/new');
  return (
    <Page
      title={t('Contacts')}
      actions={
        <>
          <div className={styles['search']}>
            <SearchField label={t('Search contacts')} value={typed} onChange={setTyped} />
          </div>
          <span className={styles['files']}>
            <ButtonLink href="/import" size="s" icon={Upload}>
              {t('Import')}
            </ButtonLink>
            {isAdmin && <DownloadLink href="/api/v1/contacts/export.csv">{t('CSV')}</DownloadLink>}
          </span>
          <Button variant="primary" icon={Plus} onPress={create}>
            {t('New contact')}
          </Button>
        </>
      }
    >
      <QueryState query={contacts} skeleton={<SkeletonRows what={t('Loading contacts…')} rows={8} />}>
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
    <div role="status">
      {search ? (
        <EmptyState icon={SearchX} title={t('Nobody found.')}>
          {t('No contact has “{search}” in name, company, e-mail address or number.', { search })}
        </EmptyState>
      ) : (
        <EmptyState
          icon={BookUser}
          title={t('There are no contacts yet.')}
          action={<ButtonLink href="/new">{t('Add the first contact')}</ButtonLink>}
        >
          {t('A contact gives a name to a number: everybody in the team sees who calls.')}
        </EmptyState>
      )}
    </div>
  );
}

const contactKey = ({ id }: Contact) => id;

function ContactTable({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const columns = [
    { label: t('Name') },
    { label: t('Phone') },
    { label: t('Company') },
    { label: t('Email') },
    { label: t('Actions'), hideLabel: true },
  ];
  return (
    <PageTable className={styles['table']}>
      <Table label={t('Contacts')} columns={columns}>
        <VirtualRows items={contacts} keyOf={contactKey} estimate={() => ROW_PX}>
          {(contact, place) => <ContactRow contact={contact} {...place} />}
        </VirtualRows>
      </Table>
    </PageTable>
  );
}

/** Thousands may be loaded: those that are shown already are not rendered again with every page. */
const ContactRow = memo(function ContactRow({ contact, ...place }: { contact: Contact } & RowPlace): ReactNode {
  const title = contactTitle(contact);
  return (
    <Row isLink {...place}>
      <Cell isName>
        <span className={styles['person']}>
          <Avatar id={contact.id} name={contact.name?.trim() || contact.company_name?.trim() || undefined} />
          <Link href={`/${contact.id}`} className={styles['name']}>
            <Name>{title}</Name>
          </Link>
        </span>
      </Cell>
      <Cell>
        <PhoneNumber value={contact.phone} />
      </Cell>
      <Cell>{contact.company_name && <Name>{contact.company_name}</Name>}</Cell>
      <Cell>{contact.email && <Name>{contact.email}</Name>}</Cell>
      <Cell align="end">
        <RowActions>
          <IconLink
            href={`~/dashboard/inbox/${encodeURIComponent(contact.phone)}`}
            label={t('Text')}
            icon={MessageSquare}
            showsLabel
          />
          <CallButton phoneNumber={contact.phone} iconOnly />
        </RowActions>
      </Cell>
    </Row>
  );
});
