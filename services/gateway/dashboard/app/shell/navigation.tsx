import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sections } from './sections.ts';

export function Navigation(): ReactNode {
  const [location] = useLocation();
  return (
    <nav aria-label="Dashboard">
      <ul>
        {sections.map(({ path, name }) => (
          <li key={path}>
            <Link href={path} aria-current={location === path || location.startsWith(`${path}/`) ? 'page' : undefined}>
              {name}
              {path === '/inbox' && <UnseenCount />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function UnseenCount(): ReactNode {
  const { data } = useQuery({
    queryKey: queryKeys.unseen,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/activity/unseen', { signal })),
  });
  if (!data || data.unseen_count === 0) return null;
  return (
    <>
      <span className="visually-hidden">, {data.unseen_count} unseen</span>
      <span className="badge" aria-hidden="true">
        {data.unseen_count}
      </span>
    </>
  );
}
