/**
 * [pure] What goes between the inspector's server and its page, as JSON. Nothing in it is of Node, and later versions
 * only add to it.
 *
 * All paths are of the same origin and want the cookie of the first visit. Whoever lacks it gets 401 and
 * {@link ApiError} with `NO_ENTRY`: the page then says that the link of the terminal has to be opened again.
 *
 * | Request                                       | Answer                                     |
 * | --------------------------------------------- | ------------------------------------------ |
 * | `GET /api/state`                              | {@link StateReply}                         |
 * | `GET /api/sessions/:id/transcript?from&limit` | {@link TranscriptReply}                    |
 * | `GET /api/sessions/:id/inbox`                 | {@link InboxReply}                         |
 * | `GET /api/sessions/:id/export`                | JSON Lines, as a download                  |
 * | `GET /api/flow?root&limit`                    | {@link FlowReply}                          |
 * | `GET /api/search?q&cursor`                    | {@link SearchReply}                        |
 * | `GET /api/events`                             | server-sent events, see {@link LiveEvent}  |
 * | `POST /api/sessions` {@link CreateRequest}    | {@link CreateReply}                        |
 * | `POST /api/sessions/:id/prompt` {@link PromptRequest} | {@link PromptReply}                |
 * | `POST /api/sessions/:id/interrupt` `{}`       | {@link InterruptReply}                     |
 * | `POST /api/sessions/:id/stop` `{}`            | {@link StopReply}                          |
 *
 * Every POST has `content-type: application/json`. Every answer but 2xx is an {@link ApiError}.
 * Texts of models, of people and of files come as they are: they are data, and never HTML.
 *
 * The page itself: `/`, and every path that is neither below `/api/` nor a file of the page, answers with
 * `index.html`, so a deep link may be a path such as `/s/<id>` or a fragment. The policy of the page is
 * `default-src 'none'` with scripts, styles, fonts and connections of its own origin only, no inline script, no
 * inline `style` text, no `eval`, and images of its own origin and of `data:`.
 * The files are those of `dist/page` beside the program: `index.html`, and what it names below `assets/`.
 *
 * How to follow: load `/api/state`, then open `/api/events?after=<StateReply.cursor>`. Nothing is lost between the
 * two. The browser asks for what it has missed by itself when it connects again.
 */
export type { Time, NodeState, Tokens, Spent, TreeNode, StateReply } from './protocol-tree.ts';
export type {
  Sender,
  Piece,
  Block,
  TranscriptEntry,
  TranscriptReply,
  PartialAnswer,
  InboxEntry,
  InboxReply,
} from './protocol-transcript.ts';
export type { FlowEdge, FlowReply, SearchHit, SearchReply } from './protocol-flow.ts';
export type { LiveEvent, StreamPiece } from './protocol-live.ts';

/** Why something was not done. `message` is one sentence for people. */
export interface ApiError {
  /** An open set. Of the server: {@link KnownApiCode}; else the code of the package that refused. */
  readonly code: string;
  readonly message: string;
}

/**
 * | Code                   | Status | Meaning                                                                 |
 * | ---------------------- | ------ | ----------------------------------------------------------------------- |
 * | `NO_ENTRY`             | 401    | no cookie, or that of another server                                    |
 * | `WRONG_HOST`           | 403    | the Host header is not this server's                                    |
 * | `WRONG_ORIGIN`         | 403    | the request comes from another page                                     |
 * | `NOT_FOUND`            | 404    | no such path, or no such Session                                        |
 * | `WRONG_METHOD`         | 405    |                                                                         |
 * | `NOT_JSON`             | 415    | a POST without JSON content type                                        |
 * | `TOO_LARGE`            | 413    | the body of a request is too large                                      |
 * | `INVALID_REQUEST`      | 400    | what was sent is not what this path takes                               |
 * | `NOT_LIVE`             | 409    | the addressee is not in memory here, and nothing here can wake it       |
 * | `NO_MODEL`             | 409    | a stored root was to be woken, and the server was started without one   |
 * | `NOTHING_TO_INTERRUPT` | 409    | no turn is under way                                                    |
 * | `NOT_A_CHILD`          | 409    | only children can be stopped                                            |
 * | `TOO_MANY_READERS`     | 503    | too many pages follow                                                   |
 * | `BUSY`                 | 429    | a search is under way                                                   |
 * | `INTERNAL`             | 500    | something else went wrong; nothing is known of what was done            |
 *
 * From the runtime of children, each 409 unless said otherwise: `UNAUTHORIZED`, `NOT_RESUMABLE`, `PARENT_UNAVAILABLE`,
 * `BUSY_ELSEWHERE`, `ACTIVATION_CLOSING`, `DRAINING` (503), `LIMIT_REACHED` (429), `ACTIVATION_TEARDOWN_FAILED` (500).
 * From an agent: `AGENT_CLOSING`, `AGENT_DISPOSED`, `INBOX_FULL` (429). From the store: `SESSION_LOCKED`,
 * `DAMAGED_LOG`, `UNKNOWN_ESSENTIAL_EVENT`, `UNSUPPORTED_VERSION`.
 */
export type KnownApiCode =
  | 'NO_ENTRY'
  | 'WRONG_HOST'
  | 'WRONG_ORIGIN'
  | 'NOT_FOUND'
  | 'WRONG_METHOD'
  | 'NOT_JSON'
  | 'TOO_LARGE'
  | 'INVALID_REQUEST'
  | 'NOT_LIVE'
  | 'NO_MODEL'
  | 'NOTHING_TO_INTERRUPT'
  | 'NOT_A_CHILD'
  | 'TOO_MANY_READERS'
  | 'BUSY'
  | 'INTERNAL';

export interface PromptRequest {
  /** 1 to 65,536 bytes of UTF-8, not blank. */
  readonly text: string;
  /** Made by the page, 8 to 64 of `A-Z a-z 0-9 _ -`: the same one again is accepted once. */
  readonly messageId: string;
}

export interface PromptReply {
  readonly messageId: string;
}

/** Makes a new root and writes its first message. The same `messageId` again is answered with the same root. */
export type CreateRequest = PromptRequest;

export interface CreateReply {
  readonly id: string;
  readonly messageId: string;
}

export interface InterruptReply {
  /** The turn that was cancelled, counted from 0; absent where it was between turns. */
  readonly turn?: number;
  /** How many messages stay in its inbox, parked. */
  readonly kept: number;
  /** Live Sessions below it, which go on. */
  readonly descendantsRunning: number;
}

/** It and everything below it is out of memory. */
export interface StopReply {
  readonly stopped: true;
}
