import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { type FoundText, useFoundTexts } from '../inbox/found-texts.tsx';
import { excerptOf } from '../inbox/text-excerpt.ts';
import { softphone } from '../phone/softphone.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Kbd } from '../ui/badge.tsx';
import { type Icon, LARGE, MEDIUM } from '../ui/icon.ts';
import { Hash, Keyboard, MessageSquare, Search } from '../ui/icons/index.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './palette.module.css';
import { sections } from './sections.ts';

const PEOPLE_MAX = 6;
const TEXTS_MAX = 4;

/** Pages that one goes to by name. */
const pages = sections
  .filter(({ path }) => path !== '/live' && path !== '/sandbox')
  .flatMap((section) =>
    section.path === '/contacts' ? [section, { ...section, path: '/contacts/new', name: 'New contact' }] : [section],
  );

/** Finds people, texts and commands by what is typed; `Enter` opens, `Ctrl Enter` calls. */
export default function Palette(props: { onClose: () => void; onHelp: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const words = useDebounced(typed.trim(), 150);
  const { data: threads, isPlaceholderData: isEarlier } = useQuery({
    queryKey: [...queryKeys.inbox, 'palette', words],
    queryFn: ({ signal }) =>
      ok(
        api.GET('/api/v1/inbox', {
          params: { query: { limit: String(PEOPLE_MAX), ...(words !== '' && { query: words }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const { data: contacts } = useQuery({
    queryKey: [...queryKeys.contacts, 'palette', words],
    queryFn:
      words === ''
        ? skipToken
        : ({ signal }) =>
            ok(api.GET('/api/v1/contacts', { params: { query: { query: words, limit: String(PEOPLE_MAX) } }, signal })),
    placeholderData: words === '' ? undefined : keepPreviousData,
  });
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const fits = (text: string) => text.toLowerCase().includes(typed.trim().toLowerCase());
  const isStale = isEarlier || words !== typed.trim();
  const people = peopleOf(threads?.threads ?? [], contacts ?? [])
    // What was found for the words before must not be opened by `Enter` for these.
    .filter(({ name, phone }) => !isStale || fits(`${name ?? ''} ${phone}`))
    .slice(0, PEOPLE_MAX);
  const texts = useFoundTexts(words, '').slice(0, isStale ? 0 : TEXTS_MAX);
  const commands: Command[] = [
    ...pages.map(({ path, name, icon }) => ({ id: path, label: t('Go to {page}', { page: t(name) }), icon })),
    ...numbers.map(({ id, name }) => ({ id: `/numbers/${id}`, label: t('Open {name}', { name }), icon: Hash })),
    { id: 'help', label: t('Keyboard shortcuts'), icon: Keyboard },
  ].filter(({ label }) => fits(label));

  function run(id: string): void {
    props.onClose();
    if (id === 'help') props.onHelp();
    else navigate(id);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    const option = document.querySelector(`.${styles['option']}[data-focused]`);
    if (!event.ctrlKey && !event.metaKey) {
      // Results that arrive after the last key are not focused: the first one is shown as if it were.
      const first = people[0] ? threadPath(people[0].phone) : texts[0] ? textPath(texts[0]) : commands[0]?.id;
      if (!option && first !== undefined) run(first);
      return;
    }
    const focused = option?.querySelector<HTMLElement>('[data-phone]');
    const phone = focused?.dataset['phone'] ?? people[0]?.phone;
    const [from] = numbers;
    if (!phone || !from) return;
    event.preventDefault();
    event.stopPropagation();
    props.onClose();
    softphone.dial(phone, from.number);
  }
  return (
    <ModalOverlay
      isOpen
      isDismissable
      className={styles['scrim']!}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      <Modal className={styles['palette']!}>
        <Dialog aria-label={t('Search and commands')} className={styles['dialog']!}>
          <div role="presentation" onKeyDownCapture={onKeyDown}>
            <Autocomplete inputValue={typed} onInputChange={setTyped}>
              <SearchField aria-label={t('Search and commands')} autoFocus className={styles['field']!}>
                <Search {...LARGE} />
                <Input className={styles['input']!} placeholder={t('Find a person or a command')} />
                <Kbd>Esc</Kbd>
              </SearchField>
              <Menu aria-label={t('Results')} className={styles['list']!} onAction={(key) => run(String(key))}>
                {people.length > 0 && (
                  <MenuSection>
                    <Header className={styles['heading']!}>{t('People')}</Header>
                    {people.map(({ id, name, phone, preview }) => (
                      <MenuItem
                        key={phone}
                        id={threadPath(phone)}
                        textValue={`${name ?? ''} ${phone}`}
                        className={styles['option']!}
                      >
                        <Avatar id={id} name={name} size={24} />
                        <bdi className={styles['name']}>{name ?? phoneText(phone)}</bdi>
                        <span className={styles['detail']} data-phone={phone}>
                          {name ? phoneText(phone) : preview}
                        </span>
                        <span className={styles['open']}>
                          {t('Open')} <Kbd>Enter</Kbd>
                        </span>
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
                {texts.length > 0 && (
                  <MenuSection>
                    <Header className={styles['heading']!}>{t('What was said')}</Header>
                    {texts.map((text) => (
                      <MenuItem key={text.id} id={textPath(text)} textValue={text.text} className={styles['option']!}>
                        <MessageSquare {...MEDIUM} />
                        <bdi className={styles['said']}>
                          {excerptOf(text.text, text.highlights).map((part, index) =>
                            part.isHit ? <mark key={index}>{part.text}</mark> : part.text,
                          )}
                        </bdi>
                        <bdi className={styles['detail']}>{text.name ?? phoneText(text.phone)}</bdi>
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
                {commands.length > 0 && (
                  <MenuSection>
                    <Header className={styles['heading']!}>{t('Do')}</Header>
                    {commands.map(({ id, label, icon: Shape }) => (
                      <MenuItem key={id} id={id} textValue={label} className={styles['option']!}>
                        <Shape {...MEDIUM} />
                        <bdi className={styles['name']}>{label}</bdi>
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
              </Menu>
            </Autocomplete>
          </div>
          <p className={styles['foot']}>
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('move')} <Kbd>Enter</Kbd> {t('open')} <Kbd>Ctrl Enter</Kbd> {t('call')}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: Icon;
}

interface Person {
  readonly id: string;
  readonly name: string | undefined;
  readonly phone: string;
  readonly preview: string;
}

type Contact = {
  readonly id: string;
  readonly name: string | null;
  readonly company_name: string | null;
  readonly phone: string;
};

const textPath = ({ id, phone }: FoundText) => `${threadPath(phone)}#${id}`;

const threadPath = (phone: string) => `/inbox/${encodeURIComponent(phone)}`;

/** Everybody once: those with activity first. */
function peopleOf(
  threads: readonly { phone_number: string; contact: Contact | null; preview: string }[],
  contacts: readonly Contact[],
): Person[] {
  const byPhone = new Map<string, Person>();
  const nameOf = (contact: Contact | null) => contact?.name || contact?.company_name || undefined;
  for (const { phone_number: phone, contact, preview } of threads)
    byPhone.set(phone, { id: contact?.id ?? phone, name: nameOf(contact), phone, preview });
  for (const contact of contacts)
    if (!byPhone.has(contact.phone))
      byPhone.set(contact.phone, { id: contact.id, name: nameOf(contact), phone: contact.phone, preview: '' });
  return [...byPhone.values()];
}
