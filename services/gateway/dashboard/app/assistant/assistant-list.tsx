import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { assistantsQuery } from '../api/shared-queries.ts';
import { capitalised, languageName, listOf } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Bot, Plus } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import text from '../ui/text.module.css';
import styles from './assistant-list.module.css';
import { useAnsweredNumbers } from './assistant-queries.ts';
import { AssistantState } from './assistant-state.tsx';

export function AssistantList(): ReactNode {
  const [, navigate] = useLocation();
  const assistants = useQuery(assistantsQuery);
  const answered = useAnsweredNumbers();
  return (
    <Page
      title={t('Assistant')}
      actions={
        isAdmin && (
          <Button variant="primary" icon={Plus} onPress={() => navigate('/new')}>
            {t('New assistant')}
          </Button>
        )
      }
    >
      <QueryState
        query={assistants}
        empty={
          <EmptyState
            icon={Bot}
            title={t('There is no assistant yet.')}
            action={isAdmin && <ButtonLink href="/new">{t('Create the first assistant')}</ButtonLink>}
          >
            {t(
              'It answers calls, says what you have written down, takes messages and connects callers with your team.',
            )}
          </EmptyState>
        }
      >
        {(list) => (
          <PageTable className={styles['table']}>
            <Table
              label={t('Assistants')}
              columns={[
                { label: t('Name') },
                { label: t('Language') },
                { label: t('Numbers') },
                { label: t('Greeting') },
                { label: t('Status') },
              ]}
            >
              {list.map(({ id, name, language, greeting, active }) => (
                <Row key={id} isLink>
                  <Cell isName>
                    <Link href={`/${id}`}>
                      <bdi>{name}</bdi>
                    </Link>
                  </Cell>
                  <Cell>{capitalised(languageName(language))}</Cell>
                  <Cell>{listOf((answered?.get(id) ?? []).map((number) => number.name))}</Cell>
                  <Cell>
                    <bdi className={text['line']}>{greeting}</bdi>
                  </Cell>
                  <Cell>
                    <AssistantState isActive={active} />
                  </Cell>
                </Row>
              ))}
            </Table>
          </PageTable>
        )}
      </QueryState>
    </Page>
  );
}
