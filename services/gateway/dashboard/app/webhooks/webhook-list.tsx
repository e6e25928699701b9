import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { eventsText } from './event-types.ts';
import { NewWebhook } from './new-webhook.tsx';
import { webhooksQuery } from './webhook-queries.ts';

export function WebhookList(): ReactNode {
  const webhooks = useQuery(webhooksQuery);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Webhooks"
      actions={
        <button type="button" onClick={() => setIsCreating(true)}>
          New webhook
        </button>
      }
    >
      {isCreating && <NewWebhook onClose={() => setIsCreating(false)} />}
      <QueryState query={webhooks} what="webhooks">
        {(list) =>
          list.length === 0 ? (
            <p>No webhooks yet. A webhook sends events, such as the end of a call, to a server of yours.</p>
          ) : (
            <div className="table-scroll">
              <table>
                <caption className="visually-hidden">Webhooks</caption>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">URL</th>
                    <th scope="col">Events</th>
                    <th scope="col">State</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ id, name, url, events, active }) => (
                    <tr key={id}>
                      <td>
                        <Link href={`/${id}`}>{name}</Link>
                      </td>
                      <td>{url}</td>
                      <td>{eventsText(events)}</td>
                      <td>{active ? 'Active' : 'Paused'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryState>
    </Page>
  );
}
