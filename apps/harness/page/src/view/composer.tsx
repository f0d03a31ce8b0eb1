/**
 * The input line.
 * I1. It is made anew for each addressee: what is typed here goes to the one that it names, and to nobody else.
 */
import { useLayoutEffect, useRef, type JSX, type RefObject } from 'react';
import { isUnreached } from '../state/connection.ts';
import { canSend, noDraft, type Draft } from '../state/drafts.ts';
import { sendsPrompt } from '../state/keys.ts';
import { newAgent } from '../state/route.ts';
import { parentOf } from '../state/tree.ts';
import { kinship, nameOf, promptHindrance, unreached } from '../state/words.ts';
import { oneLine } from '../state/visible-text.ts';
import { toComposer } from './focus-heir.ts';
import { usePart, useProgram } from './program-context.ts';
import { Name } from './text.tsx';
import { useNarrow } from './use-narrow.ts';

const invitation = 'Write a message';
const longInvitation = `${invitation}: Enter sends, Shift Enter makes a new line`;

export function Composer({ to }: { readonly to: string }): JSX.Element {
  const { write, send } = useProgram();
  const draft = usePart((state) => state.drafts.get(to)) ?? noDraft;
  const node = usePart(({ tree }) => tree.nodes.get(to));
  const away = usePart(({ connection }) => isUnreached(connection));
  const hindrance = away ? unreached : node === undefined ? undefined : promptHindrance(node);
  const field = useRef<HTMLTextAreaElement>(null);
  const narrow = useNarrow();
  const sending = draft.phase.kind === 'sending';
  useGrowing(field, draft.text);
  useSuccessor(field, to === newAgent && draft.text === '');
  const submit = (): void => {
    send(to).catch(reportError);
    field.current?.focus();
  };
  const keys = useSendKey(() => {
    if (hindrance === undefined) submit();
  });
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Addressee to={to} />
      <div className="composer-line">
        <textarea
          ref={field}
          rows={1}
          value={draft.text}
          readOnly={sending}
          aria-label={to === newAgent ? 'First message of a new agent' : `Message to ${nameOf(node, to)}`}
          aria-describedby="composer-note"
          placeholder={hindrance !== undefined ? '' : narrow ? invitation : longInvitation}
          dir="auto"
          onChange={(event) => {
            write(to, event.target.value);
          }}
          {...keys}
        />
        <button type="submit" className="primary" disabled={!canSend(draft) || hindrance !== undefined}>
          {sending ? 'Sending …' : draft.phase.kind === 'unsure' ? 'Send again' : 'Send'}
        </button>
      </div>
      <p id="composer-note" className={`composer-note note-${draft.phase.kind}`} role="status">
        {hindrance ?? noteOf(draft)}
      </p>
    </form>
  );
}

/** What an input field needs so that Enter sends, but for the Enter that belongs to an input method. */
function useSendKey(
  send: () => void,
): Pick<JSX.IntrinsicElements['textarea'], 'onKeyDown' | 'onCompositionEnd'> {
  const composed = useRef(-Infinity);
  return {
    onKeyDown(event) {
      const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent, timeStamp } = event;
      const { isComposing } = nativeEvent;
      const sinceComposition = timeStamp - composed.current;
      if (!sendsPrompt({ key, shiftKey, altKey, ctrlKey, metaKey, isComposing, sinceComposition })) return;
      event.preventDefault();
      send();
    },
    onCompositionEnd(event) {
      composed.current = event.timeStamp;
    },
  };
}

/** The field is as high as its text. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight + 2}px`;
  }, [field, text]);
}

/** Whoever has just made an agent goes on writing to it. What was typed and not sent is taken to nobody else. */
function useSuccessor(field: RefObject<HTMLTextAreaElement | null>, passes: boolean): void {
  const latest = useRef(passes);
  useLayoutEffect(() => {
    latest.current = passes;
  }, [passes]);
  useLayoutEffect(() => {
    const leave = toComposer(field.current);
    return () => {
      if (latest.current && typeof leave === 'function') leave();
    };
  }, [field]);
}

function Addressee({ to }: { readonly to: string }): JSX.Element {
  const tree = usePart((state) => state.tree);
  const node = tree.nodes.get(to);
  if (to === newAgent) {
    return (
      <p className="addressee">
        To <strong>a new agent</strong> <span>root</span>
      </p>
    );
  }
  return (
    <p className="addressee">
      To{' '}
      <strong className="cut">
        <Name text={nameOf(node, to)} most={60} />
      </strong>
      {node !== undefined && <Name text={kinship(node, parentOf(tree, node))} most={80} />}
      <code>{oneLine(to, 60)}</code>
    </p>
  );
}

function noteOf({ phase }: Draft): string {
  switch (phase.kind) {
    case 'writing':
      return '';
    case 'sending':
      return 'Sending …';
    case 'accepted':
      return 'Accepted: it is in the inbox.';
    case 'refused':
    case 'unsure':
      return oneLine(phase.sentence, 400);
  }
}
