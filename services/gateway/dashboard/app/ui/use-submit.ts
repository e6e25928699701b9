import { type MutationFunction, useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type FormValues, valuesIn } from './form-values.ts';
import { type UnsavedEdits, useUnsavedForm } from './use-unsaved-form.ts';

export interface Submit<Input> {
  readonly submit: (input: Input) => void;
  /** Resolves with true when the API has accepted it. */
  readonly send: (input: Input) => Promise<boolean>;
  readonly pending: boolean;
  /** The API's messages for a field. */
  readonly errorsOf: (field: string) => readonly string[] | undefined;
  /** The error as a whole: for messages of fields that the form does not show, and failures without any. */
  readonly error: Error | null;
  readonly reset: () => void;
  /** The first invalid field of the form gets the focus. */
  readonly form: RefObject<HTMLFormElement | null>;
  readonly unsaved: UnsavedEdits;
}

/** Sends a form. What was typed stays in the form until the API has accepted it. */
export function useSubmit<Input, Output>(
  write: MutationFunction<Output, Input>,
  onSuccess?: (output: Output, input: Input) => unknown,
  options: {
    /** The name under which the window keeps what was typed when the page is left, unless something else keeps it. */
    storeEditsAs?: string;
    /** Maps the saved object to the values of the form, such as a phone number that the API has normalised. */
    shownAs?: (output: Output) => FormValues;
  } = {},
): Submit<Input> {
  const form = useRef<HTMLFormElement>(null);
  const submitted = useRef<FormValues>({});
  const { accept, ...unsaved } = useUnsavedForm(form, options.storeEditsAs);
  const { mutateAsync, isPending, error, reset } = useMutation<Output, Error, Input>({
    mutationFn: write,
    onSuccess: (output, input) => {
      accept(submitted.current, options.shownAs?.(output));
      return onSuccess?.(output, input);
    },
  });
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  async function send(input: Input): Promise<boolean> {
    if (form.current) submitted.current = valuesIn(form.current);
    try {
      await mutateAsync(input);
      return true;
    } catch {
      // Shown by the form.
      return false;
    }
  }
  return {
    submit: (input) => void send(input),
    send,
    pending: isPending,
    errorsOf: (field) => (error instanceof ApiError ? error.errorsOf(field) : undefined),
    error,
    reset,
    form,
    unsaved,
  };
}
