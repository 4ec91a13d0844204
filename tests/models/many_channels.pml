/* The third of these processes finds no room for its channels: a failure of its `run`, which can be
 * followed. Nothing else of the model can fail. */
proctype P(chan c) { chan mine[100] = [1] of { byte }; end: c!1 }

init
{
    chan c = [1] of { byte };
    do
    :: run P(c)
    :: c?_
    od
}
