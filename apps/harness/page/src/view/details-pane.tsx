/** The inbox of the agent that is shown, and what it and all below it have spent. */
import type { JSX } from 'react';
import { clock, counted, cost, count, isoTime } from '../state/format.ts';
import { boundaryWords, kindWords, nameOf } from '../state/words.ts';
import type { InboxEntry, Spent, TreeNode } from '../wire.ts';
import { Blocks } from './blocks.tsx';
import { Icon } from './icons.tsx';
import { usePart } from './program-context.ts';
import { SenderWords } from './sender.tsx';
import { StateMark } from './state-mark.tsx';
import { Name } from './text.tsx';

export function DetailsPane(): JSX.Element {
  const node = usePart(({ opened, tree }) => (opened === undefined ? undefined : tree.nodes.get(opened.id)));
  return (
    <aside className="details-pane" aria-label="Inbox and use">
      {node === undefined ? (
        <p className="empty">No agent is chosen.</p>
      ) : (
        <>
          <p className="narrow-title">
            <bdi>{nameOf(node, node.id)}</bdi>
            <StateMark node={node} />
          </p>
          <Inbox node={node} />
          <Use node={node} />
          <Facts node={node} />
        </>
      )}
    </aside>
  );
}

function Inbox({ node }: { readonly node: TreeNode }): JSX.Element {
  const inbox = usePart((state) => state.opened?.inbox);
  return (
    <section>
      <h2>
        Inbox <span className="hint">{count(inbox?.count ?? node.inbox.count)}</span>
      </h2>
      {inbox?.parked === true && <p className="warn">Parked: these wait until somebody writes to it.</p>}
      {inbox?.live === false && <p className="hint">It is not in memory; its inbox is empty.</p>}
      {inbox?.live === true && inbox.count === 0 && <p className="hint">Nothing waits.</p>}
      <ol className="inbox">
        {inbox?.entries.map((entry) => (
          <Waiting key={entry.messageId} entry={entry} />
        ))}
      </ol>
      {inbox !== undefined && inbox.count > inbox.entries.length && inbox.live && (
        <p className="hint">and {count(inbox.count - inbox.entries.length)} more</p>
      )}
    </section>
  );
}

function Waiting({ entry }: { readonly entry: InboxEntry }): JSX.Element {
  const { sender, blocks } = entry;
  return (
    <li className={`entry entry-${sender.kind}`}>
      <header className="entry-head">
        <Icon name={sender.kind === 'human' ? 'person' : sender.kind === 'other' ? 'record' : sender.kind} />
        <strong className="entry-kind">{kindWords[sender.kind]}</strong>
        <SenderWords sender={sender} />
      </header>
      <Blocks blocks={blocks} />
      <p className="entry-foot">{boundaryWords(entry)}</p>
    </li>
  );
}

function Use({ node }: { readonly node: TreeNode }): JSX.Element {
  const currency = usePart((state) => state.server?.currency);
  const alone = node.below.count === 0;
  return (
    <section>
      <h2>Tokens and cost</h2>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">What</span>
            </th>
            <th scope="col">itself</th>
            {!alone && <th scope="col">with all below</th>}
          </tr>
        </thead>
        <tbody>
          {useRows(currency).map(([word, value]) => (
            <tr key={word}>
              <th scope="row">{word}</th>
              <td>{node.spent === undefined ? 'not read' : value(node.spent)}</td>
              {!alone && <td>{value(node.total)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const useRows = (currency: string | undefined): readonly (readonly [string, (spent: Spent) => string])[] => [
  ['tokens in', ({ tokens }) => count(tokens.input)],
  ['… cached', ({ tokens }) => count(tokens.cachedInput)],
  ['tokens out', ({ tokens }) => count(tokens.output)],
  ['… reasoning', ({ tokens }) => count(tokens.reasoning)],
  ['cost', (spent) => cost(spent, currency) ?? 'not known'],
];

function Facts({ node }: { readonly node: TreeNode }): JSX.Element {
  const facts: readonly (readonly [string, JSX.Element | string])[] = [
    [
      'id',
      <code key="id">
        <Name text={node.id} most={200} />
      </code>,
    ],
    ['kind', node.provider === undefined ? node.kind : `${node.kind}, by ${node.provider}`],
    ['begun', <Moment key="begun" time={node.createdAt} />],
    [`${node.state} since`, <Moment key="since" time={node.since} />],
    ['turns', count(node.turns)],
    [
      'records',
      node.damaged > 0
        ? `${count(node.length)}, ${counted(node.damaged, 'of them damaged', 'of them damaged')}`
        : count(node.length),
    ],
    ['below it', `${counted(node.below.count, 'agent')}, ${count(node.below.live)} live`],
  ];
  return (
    <section>
      <h2>Facts</h2>
      <dl className="facts">
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Moment({ time }: { readonly time: number }): JSX.Element {
  return <time dateTime={isoTime(time)}>{clock(time, Date.now())}</time>;
}
