// SPDX-License-Identifier: MIT
// What orders operations other than streams and events do: launches of one graph, threads of the host, launches in kernels. The first
// argument names the part that runs. Each promises what its comment says.
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <unistd.h>

enum { N = 256 };

__global__ void put(int *out, int value)
{
    out[threadIdx.x] = value;
}
__global__ void copy(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void add(int *out)
{
    out[threadIdx.x]++;
}

static int *zeros()
{
    int *made;
    cudaMalloc(&made, N * sizeof *made);
    cudaMemset(made, 0, N * sizeof *made);
    cudaDeviceSynchronize();
    return made;
}

static cudaStream_t stream_of_its_own()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}

// Each launch of an executable graph is behind its earlier ones, on whatever stream: cudaGraphLaunch().
static void graph_twice()
{
    int *from = zeros(), *out = zeros();
    cudaStream_t one = stream_of_its_own(), other = stream_of_its_own();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    copy<<<1, N, 0, one>>>(out, from);
    add<<<1, N, 0, one>>>(out);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, one);
    cudaGraphLaunch(executable, other);
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: out[i] = 1
    cudaFree(from);
    cudaFree(out);
}

// Two graphs made of one are not.
static void graph_two()
{
    int *from = zeros(), *copies = zeros();
    cudaStream_t one = stream_of_its_own(), other = stream_of_its_own();
    cudaGraph_t graph;
    cudaGraphExec_t executable[2];
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    copy<<<1, N, 0, one>>>(copies, from);
    add<<<1, N, 0, one>>>(copies);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&executable[0], graph, 0);
    cudaGraphInstantiate(&executable[1], graph, 0);
    cudaGraphLaunch(executable[0], one);
    cudaGraphLaunch(executable[1], other);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(copies);
}

static void put_on_a_stream(int *out, int value, unsigned delay_us = 0)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    usleep(delay_us);
    put<<<1, N, 0, stream>>>(out, value);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

// Nothing orders the two threads but the time that one of them sleeps.
static void threads_by_chance()
{
    int *chance = zeros();
    std::thread one(put_on_a_stream, chance, 1, 0), other(put_on_a_stream, chance, 2, 200000);
    one.join();
    other.join();
    //@ ensures for 0 <= i < 256: chance[i] = 2
    cudaFree(chance);
}

// Both on the default stream: which is first, is the threads' affair.
static void threads_on_one_stream()
{
    int *shared = zeros();
    auto work = [shared](int value, unsigned delay_us) {
        usleep(delay_us);
        put<<<1, N>>>(shared, value);
    };
    std::thread one(work, 1, 0), other(work, 2, 200000);
    one.join();
    other.join();
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: shared[i] = 2
    cudaFree(shared);
}

// A mutex keeps them apart, and does not say which is first.
static void threads_with_mutex()
{
    int *kept = zeros();
    std::mutex mutex;
    auto work = [kept, &mutex](int value, unsigned delay_us) {
        usleep(delay_us);
        std::lock_guard<std::mutex> lock(mutex);
        put_on_a_stream(kept, value);
    };
    std::thread one(work, 1, 0), other(work, 2, 200000);
    one.join();
    other.join();
    //@ ensures for 0 <= i < 256: kept[i] = 2
    cudaFree(kept);
}

// The thread waits for the launch of main; main does not wait for the thread.
static void waits_of_another_thread()
{
    int *waited = zeros();
    cudaStream_t one = stream_of_its_own(), other = stream_of_its_own();
    put<<<1, N, 0, one>>>(waited, 1);
    std::thread thread([one] { cudaStreamSynchronize(one); });
    usleep(200000);
    put<<<1, N, 0, other>>>(waited, 2);
    thread.join();
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: waited[i] = 2
    cudaFree(waited);
}

// The thread has a stream wait for another; main does not wait for the thread.
static void events_of_another_thread()
{
    int *behind = zeros();
    cudaStream_t one = stream_of_its_own(), other = stream_of_its_own();
    put<<<1, N, 0, one>>>(behind, 1);
    std::thread thread([one, other] {
        cudaEvent_t event;
        cudaEventCreate(&event);
        cudaEventRecord(event, one);
        cudaStreamWaitEvent(other, event, 0);
    });
    usleep(200000);
    put<<<1, N, 0, other>>>(behind, 2);
    thread.join();
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: behind[i] = 2
    cudaFree(behind);
}

// Managed memory that a thread has a kernel write, and that main reads before it joins the thread.
static void host_behind_a_thread()
{
    int *managed;
    cudaMallocManaged(&managed, N * sizeof *managed);
    memset(managed, 0, N * sizeof *managed);
    std::thread thread(put_on_a_stream, managed, 1, 0);
    usleep(200000);
    printf("%d\n", managed[0]);
    thread.join();
    //@ ensures for 0 <= i < 256: managed[i] = 1
    cudaFree(managed);
}

// No thread waits for the other's launch, in whatever order they are.
static void threads_that_race()
{
    int *raced = zeros();
    auto work = [raced](int value) { put<<<1, N, 0, stream_of_its_own()>>>(raced, value); };
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
    cudaDeviceSynchronize();
    cudaFree(raced);
}

// Right: the thread leaves by pthread_exit(), and main goes on once it has seen its end.
static void *put_and_leave(void *out)
{
    put_on_a_stream((int *)out, 1);
    pthread_exit(nullptr);
}
static void thread_that_leaves()
{
    int *left = zeros();
    pthread_t thread;
    pthread_create(&thread, nullptr, put_and_leave, left);
    while (pthread_tryjoin_np(thread, nullptr) != 0)
        usleep(1000);
    put_on_a_stream(left, 2);
    //@ ensures for 0 <= i < 256: left[i] = 2
    cudaFree(left);
}

// Right: memory of their own, on streams of their own and on the default one; main goes on behind both.
static void threads_apart()
{
    int *apart = zeros(), *halves[2] = {zeros(), zeros()};
    auto work = [&halves, apart](int k) {
        for (int round = 0; round < 4; round++) {
            cudaMemset(halves[k], 0, N * sizeof(int));
            put_on_a_stream(halves[k], 7);
            add<<<1, N>>>(halves[k]);
            cudaMemcpyAsync(apart + k * (N / 2), halves[k], N / 2 * sizeof(int),
                            cudaMemcpyDeviceToDevice);
            usleep(100);
        }
    };
    std::thread one(work, 0), other(work, 1);
    one.join();
    other.join();
    add<<<1, N>>>(apart);
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: apart[i] = 9
    cudaFree(apart);
    cudaFree(halves[0]);
    cudaFree(halves[1]);
}

// Right: one after the other.
static void threads_in_turn()
{
    int *turn = zeros();
    for (int k = 0; k < 3; k++)
        std::thread(put_on_a_stream, turn, k, 0).join();
    //@ ensures for 0 <= i < 256: turn[i] = 2
    cudaFree(turn);
}

// Right: the thread's stream is behind main's event, and main is behind the thread.
static void thread_behind_an_event()
{
    int *ordered = zeros();
    cudaStream_t one = stream_of_its_own();
    cudaEvent_t event;
    cudaEventCreate(&event);
    put<<<1, N, 0, one>>>(ordered, 1);
    cudaEventRecord(event, one);
    std::thread thread([ordered, event] {
        cudaStream_t stream = stream_of_its_own();
        cudaStreamWaitEvent(stream, event, 0);
        add<<<1, N, 0, stream>>>(ordered);
        cudaEventRecord(event, stream);
    });
    thread.join();
    cudaStreamWaitEvent(one, event, 0);
    add<<<1, N, 0, one>>>(ordered);
    cudaDeviceSynchronize();
    //@ ensures for 0 <= i < 256: ordered[i] = 3
    cudaFree(ordered);
}

// Right: a team of OpenMP's, each with memory of its own, whose regions are in order, and main behind them.
static void teams()
{
    int *team = zeros();
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
        for (int k = 0; k < 4; k++) {
            cudaStream_t stream = stream_of_its_own();
            add<<<1, N / 4, 0, stream>>>(team + k * (N / 4));
            cudaStreamSynchronize(stream);
        }
        add<<<1, N>>>(team);
        cudaDeviceSynchronize();
    }
    //@ ensures for 0 <= i < 256: team[i] = 6
    cudaFree(team);
}

// Members of one team are in no order.
static void team_by_chance()
{
    int *member = zeros();
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int k = 0; k < 2; k++) {
        usleep(200000 * k);
        put_on_a_stream(member, k);
    }
    //@ ensures for 0 <= i < 256: member[i] = 1
    cudaFree(member);
}

__global__ void launches_and_writes(int *in, int *out)
{
    if (threadIdx.x == 0) {
        copy<<<1, 32>>>(out, in);
        in[5] = 9;
    }
}

// The kernel writes what the grid that it has launched reads.
static void parent_races()
{
    int *in = zeros(), *parted = zeros();
    launches_and_writes<<<1, 32>>>(in, parted);
    cudaDeviceSynchronize();
    //@ ensures parted[5] = 9
    cudaFree(in);
    cudaFree(parted);
}

int main(int, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)();
    } parts[] = {
        {"graph-twice", graph_twice},         {"graph-two", graph_two},
        {"chance", threads_by_chance},        {"one-stream", threads_on_one_stream},
        {"mutex", threads_with_mutex},        {"waits", waits_of_another_thread},
        {"events", events_of_another_thread}, {"host", host_behind_a_thread},
        {"race", threads_that_race},          {"apart", threads_apart},
        {"leaves", thread_that_leaves},       {"turn", threads_in_turn},
        {"event", thread_behind_an_event},    {"teams", teams},
        {"team-chance", team_by_chance},      {"parent", parent_races},
    };
    for (const auto &part : parts)
        if (strcmp(part.name, arguments[1]) == 0)
            part.run();
    return 0;
}
