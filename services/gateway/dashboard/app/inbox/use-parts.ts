import { skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';

/** In how many parts a text is sent, in words; the code that counts is loaded when somebody writes. */
export function useParts(text: string): string | undefined {
  const counted = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: ['sms parts', counted],
    queryFn: counted === '' ? skipToken : async () => (await import('./sms-parts.ts')).partsWords(counted),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (known) => known,
  });
  return counted === '' ? undefined : data;
}
