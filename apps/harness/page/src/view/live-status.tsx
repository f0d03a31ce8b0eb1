/**
 * The one place that speaks to a screen reader by itself. It tells of the connection, and when the agent that is shown
 * comes to rest; not of every word that is streamed.
 */
import { useEffect, useRef, useState, type JSX } from 'react';
import { connectionSentence } from '../state/connection.ts';
import { nameOf, stateWord } from '../state/words.ts';
import { usePart } from './program-context.ts';

export function LiveStatus(): JSX.Element {
  const connection = usePart((state) => state.connection);
  const node = usePart(({ opened, tree }) => (opened === undefined ? undefined : tree.nodes.get(opened.id)));
  const [told, setTold] = useState('');
  const before = useRef<{ id: string; state: string } | undefined>(undefined);
  useEffect(() => {
    setTold(connection.kind === 'live' ? '' : (connectionSentence(connection, Date.now()) ?? ''));
  }, [connection]);
  useEffect(() => {
    const last = before.current;
    before.current = node === undefined ? undefined : { id: node.id, state: node.state };
    if (node === undefined || last?.id !== node.id || last.state === node.state || node.state === 'running')
      return;
    setTold(`${nameOf(node, node.id)} is ${stateWord(node)}.`);
  }, [node]);
  return (
    <p className="unseen" role="status">
      {told}
    </p>
  );
}
