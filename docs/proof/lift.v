(* SPDX-License-Identifier: MIT *)
(* From one input to all of them: why `reductio prove` may count.

   A prover is asked of integers only: it starts the array as the unit vector of one input j, has each `+` of the kernel
   count, and shows that cell c holds j as often as the law says. This file says what that is worth: in every commutative
   monoid - sums, maxima, minima, xor, integers modulo 2^32 - the cell then is what the law says of all inputs together
   (lift, law). Products of an element of a and one of b are inputs of their own, of which the unit vector is the product of
   both (unit_of_pair). Where elements are subtracted, too, or the kernel has numbers of its own, a cell is known by unit vectors and
   by inputs that are all 0 (affine); and where elements of one input are multiplied, by how often it holds each product of two
   (quadratic, known_by_coefficients). Threads that do not race, and those that meet only in atomic additions to a cell, may run in any
   order, one within the other (race_free). And the height of a cell, by the same run in another algebra, bounds what
   rounding does to it (height_bounds_rounding).

   Nothing is assumed: the last lines print that each theorem is closed. *)
Require Import List Arith Lia Bool.
Require Import QArith Qabs Lqa ZArith Ring.
Import ListNotations.
Open Scope nat_scope.

(* ---- what threads do ---- *)

Section Programs.
  Variable J : Type. (* the inputs *)

  (* What is written to a cell: sums of cells and of inputs. Which ones these are may depend on anything but the elements. A
     thread's register is a cell of its own. *)
  Inductive expr :=
  | Cell (k : nat)
  | Input (j : J)
  | Nothing
  | Plus (e f : expr).

  Definition assignment := (nat * expr)%type.
  Definition thread := list assignment.

  Fixpoint reads e k :=
    match e with
    | Cell i => i = k
    | Input _ | Nothing => False
    | Plus e f => reads e k \/ reads f k
    end.

  Section Values.
    Variables (X : Type) (zero : X) (add : X -> X -> X) (input : J -> X).

    Definition array := nat -> X.
    Fixpoint eval (A : array) e :=
      match e with
      | Cell k => A k
      | Input j => input j
      | Nothing => zero
      | Plus e f => add (eval A e) (eval A f)
      end.
    Definition step (A : array) (s : assignment) : array :=
      fun c => if c =? fst s then eval A (snd s) else A c.
    Definition run (p : thread) (A : array) := fold_left step p A.
    Definition same (A B : array) := forall c, A c = B c.

    Lemma eval_same A B e : same A B -> eval A e = eval B e.
    Proof. intros H. induction e; cbn; congruence || auto. Qed.
    Lemma step_same A B s : same A B -> same (step A s) (step B s).
    Proof.
      intros H c. unfold step. rewrite (eval_same A B) by auto.
      destruct (c =? fst s); auto.
    Qed.
    Lemma run_same p : forall A B, same A B -> same (run p A) (run p B).
    Proof. induction p; cbn; intros; auto. apply IHp, step_same; auto. Qed.
    Lemma run_app p q A : run (p ++ q) A = run q (run p A).
    Proof. apply fold_left_app. Qed.

    (* ---- in any order ---- *)

    Definition commute s t := forall A, same (step (step A s) t) (step (step A t) s).

    (* Neither writes what the other one reads or writes: there is no race. *)
    Definition apart (s t : assignment) :=
      fst s <> fst t /\ ~ reads (snd s) (fst t) /\ ~ reads (snd t) (fst s).

    Lemma eval_step A s e : ~ reads e (fst s) -> eval (step A s) e = eval A e.
    Proof.
      intros H. induction e; cbn in *; auto.
      - unfold step. destruct (Nat.eqb_spec k (fst s)); [tauto|auto].
      - rewrite IHe1, IHe2 by tauto. reflexivity.
    Qed.

    Lemma apart_commute s t : apart s t -> commute s t.
    Proof.
      intros (D & S & T) A c. unfold step at 1 3.
      rewrite (eval_step A s) by auto. rewrite (eval_step A t) by auto.
      unfold step.
      destruct (Nat.eqb_spec c (fst s)), (Nat.eqb_spec c (fst t)); congruence.
    Qed.

    (* Two atomic additions to one cell, of values that do not depend on it. *)
    Definition both_add (s t : assignment) :=
      exists i e f, s = (i, Plus (Cell i) e) /\ t = (i, Plus (Cell i) f) /\
                    ~ reads e i /\ ~ reads f i.

    Lemma additions_commute :
      (forall x y z, add x (add y z) = add (add x y) z) ->
      (forall x y, add x y = add y x) ->
      forall s t, both_add s t -> commute s t.
    Proof.
      intros assoc comm s t (i & e & f & -> & -> & E & F) A c.
      unfold step at 1 3. cbn [fst snd eval].
      rewrite (eval_step A (i, Plus (Cell i) e) f) by auto.
      rewrite (eval_step A (i, Plus (Cell i) f) e) by auto.
      unfold step. cbn [fst snd eval]. rewrite Nat.eqb_refl.
      destruct (c =? i); auto.
      rewrite <- !assoc. f_equal. apply comm.
    Qed.

    Lemma run_commute s p : (forall t, In t p -> commute s t) ->
      forall A, same (run p (step A s)) (step (run p A) s).
    Proof.
      induction p as [|t p IH]; cbn; intros H A c; auto.
      transitivity (run p (step (step A t) s) c).
      - apply run_same, H; auto.
      - apply IH; auto.
    Qed.

    (* Each thread does its assignments in its order; whose comes next is open. *)
    Inductive interleaved : list thread -> thread -> Prop :=
    | no_thread : interleaved [] []
    | done ts p : interleaved ts p -> interleaved ([] :: ts) p
    | next before s t after p :
        interleaved (before ++ t :: after) p ->
        interleaved (before ++ (s :: t) :: after) (s :: p).

    Definition independent (ts : list thread) := forall i j, i <> j ->
      forall s t, In s (nth i ts []) -> In t (nth j ts []) -> commute s t.

    Lemma in_nth_weaker (before after : list thread) s t i x :
      In x (nth i (before ++ t :: after) []) -> In x (nth i (before ++ (s :: t) :: after) []).
    Proof.
      revert i. induction before as [|u before IH]; intros [|i]; cbn; auto.
    Qed.
    Lemma independent_rest before s t after :
      independent (before ++ (s :: t) :: after) -> independent (before ++ t :: after).
    Proof. intros H i j D x y X' Y. apply (H i j D); apply in_nth_weaker; auto. Qed.
    Lemma independent_tail t ts : independent (t :: ts) -> independent ts.
    Proof. intros H i j D x y X' Y. apply (H (S i) (S j)); cbn; auto. Qed.

    Lemma commutes_with_those_before before s t after :
      independent (before ++ (s :: t) :: after) ->
      forall v, In v (concat before) -> commute s v.
    Proof.
      intros H v V. apply in_concat in V. destruct V as (u & U & V).
      apply (In_nth _ _ []) in U. destruct U as (i & L & E).
      apply (H (length before) i); [lia | |].
      - rewrite nth_middle. cbn; auto.
      - rewrite app_nth1 by auto. rewrite E. auto.
    Qed.

    (* Threads that are independent may run one within the other: it is as if one ran after the other. *)
    Theorem any_interleaving ts p : interleaved ts p -> independent ts ->
      forall A, same (run p A) (run (concat ts) A).
    Proof.
      induction 1 as [|ts p I IH|before s t after p I IH]; intros D A c; auto.
      - apply IH, (independent_tail []); auto.
      - transitivity (run (concat (before ++ t :: after)) (step A s) c).
        + apply (IH (independent_rest _ _ _ _ D) (step A s)).
        + rewrite !concat_app. cbn [concat]. rewrite !run_app.
          change (run (s :: t)) with (fun B => run t (step B s)). cbv beta.
          apply run_same, run_same, run_commute.
          apply (commutes_with_those_before _ _ _ _ D).
    Qed.

    (* Where no two threads race, or they meet in atomic additions to a cell alone, every order gives the same array. *)
    Corollary race_free ts p :
      (forall x y z, add x (add y z) = add (add x y) z) ->
      (forall x y, add x y = add y x) ->
      interleaved ts p ->
      (forall i j, i <> j -> forall s t, In s (nth i ts []) -> In t (nth j ts []) ->
        apart s t \/ both_add s t) ->
      forall A, same (run p A) (run (concat ts) A).
    Proof.
      intros assoc comm I R. apply any_interleaving; auto. intros i j D s t S T.
      destruct (R i j D s t S T); [apply apart_commute | apply additions_commute]; auto.
    Qed.
  End Values.

  (* ---- from one input to all ---- *)

  Section Lift.
    Variables (M : Type) (zero : M) (add : M -> M -> M).
    Hypothesis assoc : forall x y z, add x (add y z) = add (add x y) z.
    Hypothesis comm : forall x y, add x y = add y x.
    Hypothesis zero_left : forall x, add zero x = x.

    Fixpoint times k x := match k with 0 => zero | S k => add x (times k x) end.
    Fixpoint sum (js : list J) (f : J -> M) :=
      match js with [] => zero | j :: js => add (f j) (sum js f) end.

    Lemma zero_right x : add x zero = x.
    Proof. rewrite comm. apply zero_left. Qed.
    Lemma times_plus k l x : times (k + l) x = add (times k x) (times l x).
    Proof. induction k; cbn; rewrite ?zero_left, ?IHk, ?assoc; auto. Qed.
    Lemma sum_same js f g : (forall j, In j js -> f j = g j) -> sum js f = sum js g.
    Proof. induction js; cbn; intros H; auto. rewrite H, IHjs; auto. Qed.
    Lemma sum_plus js f g : sum js (fun j => add (f j) (g j)) = add (sum js f) (sum js g).
    Proof.
      induction js as [|j js IH]; cbn; [rewrite zero_left; auto|]. rewrite IH.
      rewrite <- !assoc. f_equal. rewrite !assoc. f_equal. apply comm.
    Qed.
    Lemma sum_zero js : sum js (fun _ => zero) = zero.
    Proof. induction js; cbn; rewrite ?zero_left; auto. Qed.

    Variable dec : forall i j : J, {i = j} + {i <> j}.
    Definition unit (j i : J) := if dec i j then 1 else 0.

    Lemma sum_unit js (a : J -> M) i : NoDup js -> In i js ->
      sum js (fun j => times (unit j i) (a j)) = a i.
    Proof.
      induction 1 as [|j js N D IH]; cbn; [tauto|]. intros [->|I].
      - unfold unit at 1. destruct (dec i i); [|tauto]. cbn.
        rewrite (sum_same js _ (fun _ => zero)), sum_zero, !zero_right; auto.
        intros j I. unfold unit. destruct (dec i j); subst; tauto || auto.
      - unfold unit at 1. destruct (dec i j); [subst; tauto|]. cbn. rewrite zero_left. auto.
    Qed.

    Variables (js : list J) (all : NoDup js) (a : J -> M).

    (* The array at first: a cell has an input, or none. *)
    Variable first : nat -> option J.
    Definition start {X} (zero : X) (input : J -> X) c :=
      match first c with Some j => input j | None => zero end.

    Fixpoint known e :=
      match e with
      | Input j => In j js
      | Cell _ | Nothing => True
      | Plus e f => known e /\ known f
      end.
    Definition all_known (p : thread) := forall s, In s p -> known (snd s).

    (* How often input j is counted in a cell: what the program makes of its unit vector. *)
    Definition count p j := run nat 0 Nat.add (unit j) p (start 0 (unit j)).
    Definition value (v : J -> nat) := sum js (fun j => times (v j) (a j)).

    Lemma value_eval (A : nat -> M) (B : J -> nat -> nat) e :
      (forall c, A c = value (fun j => B j c)) -> known e ->
      eval M zero add a A e = value (fun j => eval nat 0 Nat.add (unit j) (B j) e).
    Proof.
      intros H. induction e; cbn; intros K; auto.
      - unfold value. rewrite sum_unit; auto.
      - unfold value. cbn. rewrite sum_zero. auto.
      - destruct K. rewrite IHe1, IHe2 by auto. unfold value. rewrite <- sum_plus.
        apply sum_same. intros. rewrite times_plus. auto.
    Qed.

    (* Each cell is the sum of all inputs, each as often as it is counted there. *)
    Theorem lift p : (forall c j, first c = Some j -> In j js) -> all_known p ->
      forall c, run M zero add a p (start zero a) c = sum js (fun j => times (count p j c) (a j)).
    Proof.
      intros F K. unfold count. fold (value (fun j => 0)).
      enough (forall A B, (forall c, A c = value (fun j => B j c)) ->
        forall c, run M zero add a p A c =
                  value (fun j => run nat 0 Nat.add (unit j) p (B j) c)) as H.
      { intros c. apply H. intros k. unfold start, value.
        destruct (first k) as [i|] eqn:E.
        - rewrite sum_unit; eauto.
        - cbn. rewrite sum_zero. auto. }
      clear F. induction p as [|s p IH]; cbn; intros A B H c; auto.
      apply (IH (fun t I => K t (or_intror I)) _ (fun j => step nat 0 Nat.add (unit j) (B j) s)).
      intros k. unfold step. destruct (k =? fst s); auto.
      apply value_eval; auto. apply K. cbn; auto.
    Qed.

    (* What a law says: the cell is the sum of those inputs for which a condition holds. It is enough to count. *)
    Corollary law p c (holds : J -> bool) :
      (forall c j, first c = Some j -> In j js) -> all_known p ->
      (forall j, In j js -> count p j c = if holds j then 1 else 0) ->
      run M zero add a p (start zero a) c = sum (filter holds js) a.
    Proof.
      intros F K H. rewrite lift by auto. rewrite (sum_same _ _ (fun j => if holds j then a j else zero)).
      - clear all F K H first. induction js as [|j l IH]; cbn; auto.
        destruct (holds j); cbn; rewrite IH, ?zero_left; auto.
      - intros j I. rewrite H by auto. destruct (holds j); cbn; rewrite ?zero_right; auto.
    Qed.
  End Lift.
End Programs.

(* ---- products ---- *)

(* An input may be a pair (i, k): the product a[i]*b[k]. Its unit vector is 1 at one pair, which is the product of the unit
   vectors of a and b: so the prover may start a as one, and b as another, and multiply. *)
Lemma unit_of_pair (I K : Type) (dec_i : forall x y : I, {x = y} + {x <> y})
  (dec_k : forall x y : K, {x = y} + {x <> y})
  (dec : forall x y : I * K, {x = y} + {x <> y}) i k i' k' :
  unit _ dec (i, k) (i', k') = unit _ dec_i i i' * unit _ dec_k k k'.
Proof.
  unfold unit. destruct (dec _ _) as [E|E], (dec_i _ _), (dec_k _ _); try inversion E; subst; auto;
    congruence || tauto || auto.
Qed.

(* ---- differences, the kernel's own numbers, and squares ---- *)

Section Rings.
  Open Scope Z_scope.
  Variable J : Type.

  (* Values of a commutative ring: of integers modulo 2^32, say. *)
  Inductive formula :=
  | RCell (k : nat)
  | RInput (j : J)
  | RNumber (z : Z)
  | RPlus (e f : formula)
  | RMinus (e f : formula)
  | RTimes (e f : formula).
  Definition setting := (nat * formula)%type.

  Section Values.
    Variables (X : Type) (number : Z -> X) (plus minus times : X -> X -> X) (input : J -> X).
    Fixpoint compute (A : nat -> X) e :=
      match e with
      | RCell k => A k
      | RInput j => input j
      | RNumber z => number z
      | RPlus e f => plus (compute A e) (compute A f)
      | RMinus e f => minus (compute A e) (compute A f)
      | RTimes e f => times (compute A e) (compute A f)
      end.
    Definition set (A : nat -> X) (s : setting) c :=
      if (c =? fst s)%nat then compute A (snd s) else A c.
    Definition compute_all (p : list setting) (A : nat -> X) := fold_left set p A.
    Variable first : nat -> option J.
    Definition begin c := match first c with Some j => input j | None => number 0 end.
  End Values.

  (* A polynomial of degree 2: a number, a coefficient of each input, and one of each product of two, in the order in which they are
     multiplied. *)
  Record poly := { c0 : Z; c1 : J -> Z; c2 : J -> J -> Z }.
  Variable dec : forall i j : J, {i = j} + {i <> j}.
  Definition one_at (j i : J) : Z := if dec i j then 1 else 0.

  Definition p_number z := {| c0 := z; c1 := fun _ => 0; c2 := fun _ _ => 0 |}.
  Definition p_input j := {| c0 := 0; c1 := fun i => one_at j i; c2 := fun _ _ => 0 |}.
  Definition p_plus p q :=
    {| c0 := c0 p + c0 q; c1 := fun i => c1 p i + c1 q i; c2 := fun i j => c2 p i j + c2 q i j |}.
  Definition p_minus p q :=
    {| c0 := c0 p - c0 q; c1 := fun i => c1 p i - c1 q i; c2 := fun i j => c2 p i j - c2 q i j |}.
  Definition p_times p q :=
    {| c0 := c0 p * c0 q;
       c1 := fun i => c0 p * c1 q i + c1 p i * c0 q;
       c2 := fun i j => c0 p * c2 q i j + c1 p i * c1 q j + c2 p i j * c0 q |}.

  (* One factor is a number, or both are of degree 1. *)
  Definition is_number p := (forall j, c1 p j = 0) /\ (forall i j, c2 p i j = 0).
  Definition is_affine p := forall i j, c2 p i j = 0.
  Definition fits p q := is_number p \/ is_number q \/ (is_affine p /\ is_affine q).

  Notation coefficients := (compute poly p_number p_plus p_minus p_times p_input).
  Notation set_coefficients := (set poly p_number p_plus p_minus p_times p_input).
  Notation all_coefficients := (compute_all poly p_number p_plus p_minus p_times p_input).

  Variable js : list J.
  Hypothesis all : NoDup js.

  Fixpoint fitting (B : nat -> poly) e :=
    match e with
    | RCell _ | RNumber _ => True
    | RInput j => In j js
    | RPlus e f | RMinus e f => fitting B e /\ fitting B f
    | RTimes e f => fitting B e /\ fitting B f /\ fits (coefficients B e) (coefficients B f)
    end.
  Fixpoint all_fit (p : list setting) (B : nat -> poly) :=
    match p with
    | [] => True
    | s :: p => fitting B (snd s) /\ all_fit p (set_coefficients B s)
    end.

  (* ---- affine programs: without products but with numbers ---- *)

  Fixpoint by_numbers e :=
    match e with
    | RCell _ | RNumber _ => True
    | RInput j => In j js
    | RPlus e f | RMinus e f => by_numbers e /\ by_numbers f
    | RTimes e f =>
        by_numbers e /\ by_numbers f /\ ((exists z, e = RNumber z) \/ (exists z, f = RNumber z))
    end.
  Definition integer (x : J -> Z) := compute_all Z (fun z => z) Z.add Z.sub Z.mul x.

  Lemma affine_compute B e : (forall c, is_affine (B c)) -> by_numbers e ->
    is_affine (coefficients B e) /\ fitting B e.
  Proof.
    intros H. induction e; cbn; intros E.
    - split; [apply H | auto].
    - split; [intros ? ?; reflexivity | auto].
    - split; [intros ? ?; reflexivity | auto].
    - destruct E as [E F], (IHe1 E) as [S U], (IHe2 F) as [T V].
      split; [intros i j; cbn; rewrite S, T; reflexivity | auto].
    - destruct E as [E F], (IHe1 E) as [S U], (IHe2 F) as [T V].
      split; [intros i j; cbn; rewrite S, T; reflexivity | auto].
    - destruct E as (E & F & N), (IHe1 E) as [S U], (IHe2 F) as [T V].
      split; [intros i j; cbn; rewrite S, T|repeat split; auto; right; right; auto].
      destruct N as [[z ->]|[z ->]]; cbn; lia.
  Qed.

  Definition of_zeros (i : J) := 0.
  Lemma at_zero B A e : (forall c, c0 (B c) = A c) ->
    c0 (coefficients B e) = compute Z (fun z => z) Z.add Z.sub Z.mul of_zeros A e.
  Proof. intros H. induction e; cbn; auto; congruence. Qed.
  Lemma at_one j B A e : (forall c, c0 (B c) + c1 (B c) j = A c) -> by_numbers e ->
    c0 (coefficients B e) + c1 (coefficients B e) j =
    compute Z (fun z => z) Z.add Z.sub Z.mul (fun i => one_at i j) A e.
  Proof.
    intros H. induction e; cbn; intros E; auto; try lia.
    - destruct E as [E F]. specialize (IHe1 E). specialize (IHe2 F). lia.
    - destruct E as [E F]. specialize (IHe1 E). specialize (IHe2 F). lia.
    - destruct E as (E & F & N). rewrite <- IHe1, <- IHe2 by auto.
      destruct N as [[z ->]|[z ->]]; cbn; ring.
  Qed.

  Lemma affine_run p : forall B,
    (forall s, In s p -> by_numbers (snd s)) -> (forall c, is_affine (B c)) ->
    all_fit p B /\ (forall c, is_affine (all_coefficients p B c)) /\
    (forall A, (forall c, c0 (B c) = A c) -> forall c, c0 (all_coefficients p B c) = integer of_zeros p A c) /\
    (forall j A, (forall c, c0 (B c) + c1 (B c) j = A c) -> forall c,
      c0 (all_coefficients p B c) + c1 (all_coefficients p B c) j =
      integer (fun i => one_at i j) p A c).
  Proof.
    induction p as [|s p IH]; intros B E H; [cbn; auto 10|].
    assert (by_numbers (snd s)) as N by (apply E; cbn; auto).
    destruct (affine_compute B (snd s) H N) as [S F].
    destruct (IH (set_coefficients B s)) as (G & I & K & L).
    - intros t T. apply E. cbn. auto.
    - intros c. unfold set. destruct (c =? fst s)%nat; auto.
    - split; [cbn; auto|]. split; [apply I|]. split.
      + intros A C. apply K. intros c. unfold set. destruct (c =? fst s)%nat; auto.
        apply at_zero. auto.
      + intros j A C. apply L. intros c. unfold set. destruct (c =? fst s)%nat; auto.
        apply at_one; auto.
  Qed.

  Section Ring.
    Variables (R : Type) (rO rI : R) (radd rmul rsub : R -> R -> R) (ropp : R -> R).
    Hypothesis ring : ring_theory rO rI radd rmul rsub ropp eq.
    Add Ring R : ring.
    (* The integers in the ring. *)
    Variable phi : Z -> R.
    Hypothesis phi_0 : phi 0 = rO.
    Hypothesis phi_1 : phi 1 = rI.
    Hypothesis phi_plus : forall x y, phi (x + y) = radd (phi x) (phi y).
    Hypothesis phi_minus : forall x y, phi (x - y) = rsub (phi x) (phi y).
    Hypothesis phi_times : forall x y, phi (x * y) = rmul (phi x) (phi y).
    Variable a : J -> R.

    Fixpoint total (l : list J) (f : J -> R) :=
      match l with [] => rO | j :: l => radd (f j) (total l f) end.

    Lemma total_same l f g : (forall j, In j l -> f j = g j) -> total l f = total l g.
    Proof. induction l; cbn; intros H; auto. rewrite H, IHl; auto. Qed.
    Lemma total_plus l f g : total l (fun j => radd (f j) (g j)) = radd (total l f) (total l g).
    Proof. induction l as [|j l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
    Lemma total_minus l f g : total l (fun j => rsub (f j) (g j)) = rsub (total l f) (total l g).
    Proof. induction l as [|j l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
    Lemma total_times l x f : total l (fun j => rmul x (f j)) = rmul x (total l f).
    Proof. induction l as [|j l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
    Lemma total_zero l f : (forall j, In j l -> f j = rO) -> total l f = rO.
    Proof. induction l; cbn; intros H; auto. rewrite H, IHl by auto. ring. Qed.

    Definition linear p := total js (fun j => rmul (phi (c1 p j)) (a j)).
    Definition square p :=
      total js (fun i => total js (fun j => rmul (phi (c2 p i j)) (rmul (a i) (a j)))).
    Definition worth p := radd (phi (c0 p)) (radd (linear p) (square p)).

    Lemma square_zero p : is_affine p -> square p = rO.
    Proof.
      intros H. unfold square. apply total_zero. intros i _. apply total_zero. intros j _.
      rewrite H, phi_0. ring.
    Qed.
    Lemma linear_zero p : (forall j, c1 p j = 0) -> linear p = rO.
    Proof. intros H. apply total_zero. intros j _. rewrite H, phi_0. ring. Qed.

    Lemma worth_number z : worth (p_number z) = phi z.
    Proof.
      unfold worth. rewrite linear_zero, square_zero; cbn; [ring | intros ? ?; reflexivity | reflexivity].
    Qed.

    Lemma total_at l i : NoDup l -> In i l ->
      total l (fun j => rmul (phi (one_at i j)) (a j)) = a i.
    Proof.
      induction 1 as [|j l N D IH]; cbn; [tauto|]. intros [->|I].
      - unfold one_at at 1. destruct (dec i i); [|tauto]. rewrite phi_1, total_zero; [ring|].
        intros j I. unfold one_at. destruct (dec j i); [subst; tauto|]. rewrite phi_0. ring.
      - unfold one_at at 1. destruct (dec j i); [subst; tauto|]. rewrite phi_0, IH by auto. ring.
    Qed.
    Lemma worth_input j : In j js -> worth (p_input j) = a j.
    Proof.
      intros I. unfold worth. rewrite square_zero by (intros ? ?; reflexivity).
      unfold linear. cbn [c0 c1 p_input]. rewrite total_at by auto. rewrite phi_0. ring.
    Qed.

    Lemma linear_plus p q : linear (p_plus p q) = radd (linear p) (linear q).
    Proof.
      unfold linear. rewrite <- total_plus. apply total_same. intros. cbn. rewrite phi_plus. ring.
    Qed.
    Lemma square_plus p q : square (p_plus p q) = radd (square p) (square q).
    Proof.
      unfold square. rewrite <- total_plus. apply total_same. intros.
      rewrite <- total_plus. apply total_same. intros. cbn. rewrite phi_plus. ring.
    Qed.
    Lemma worth_plus p q : worth (p_plus p q) = radd (worth p) (worth q).
    Proof.
      unfold worth. rewrite linear_plus, square_plus. cbn [c0 p_plus]. rewrite phi_plus. ring.
    Qed.
    Lemma linear_minus p q : linear (p_minus p q) = rsub (linear p) (linear q).
    Proof.
      unfold linear. rewrite <- total_minus. apply total_same. intros. cbn. rewrite phi_minus. ring.
    Qed.
    Lemma square_minus p q : square (p_minus p q) = rsub (square p) (square q).
    Proof.
      unfold square. rewrite <- total_minus. apply total_same. intros.
      rewrite <- total_minus. apply total_same. intros. cbn. rewrite phi_minus. ring.
    Qed.
    Lemma worth_minus p q : worth (p_minus p q) = rsub (worth p) (worth q).
    Proof.
      unfold worth. rewrite linear_minus, square_minus. cbn [c0 p_minus]. rewrite phi_minus. ring.
    Qed.

    (* The sums of a product, each by itself. *)
    Lemma linear_times p q :
      linear (p_times p q) = radd (rmul (phi (c0 p)) (linear q)) (rmul (linear p) (phi (c0 q))).
    Proof.
      unfold linear. cbn [c1 p_times].
      rewrite (total_same js _ (fun j => radd (rmul (phi (c0 p)) (rmul (phi (c1 q j)) (a j)))
                                              (rmul (phi (c0 q)) (rmul (phi (c1 p j)) (a j)))))
        by (intros; rewrite phi_plus, !phi_times; ring).
      rewrite total_plus, !total_times. ring.
    Qed.
    Lemma square_times p q :
      square (p_times p q) = radd (rmul (phi (c0 p)) (square q))
        (radd (rmul (linear p) (linear q)) (rmul (square p) (phi (c0 q)))).
    Proof.
      unfold square, linear. cbn [c2 p_times].
      rewrite (total_same js _ (fun i => radd
        (rmul (phi (c0 p)) (total js (fun j => rmul (phi (c2 q i j)) (rmul (a i) (a j)))))
        (radd
          (rmul (total js (fun j => rmul (phi (c1 q j)) (a j))) (rmul (phi (c1 p i)) (a i)))
          (rmul (phi (c0 q)) (total js (fun j => rmul (phi (c2 p i j)) (rmul (a i) (a j)))))))).
      - rewrite !total_plus, !total_times. ring.
      - intros i _. rewrite <- !total_times.
        rewrite (total_same js _ (fun j => radd
          (rmul (phi (c0 p)) (rmul (phi (c2 q i j)) (rmul (a i) (a j))))
          (radd (rmul (rmul (phi (c1 p i)) (a i)) (rmul (phi (c1 q j)) (a j)))
                (rmul (phi (c0 q)) (rmul (phi (c2 p i j)) (rmul (a i) (a j)))))))
          by (intros; rewrite !phi_plus, !phi_times; ring).
        rewrite !total_plus, !total_times. ring.
    Qed.
    Lemma worth_times p q : fits p q -> worth (p_times p q) = rmul (worth p) (worth q).
    Proof.
      unfold worth. rewrite linear_times, square_times. cbn [c0 p_times]. rewrite phi_times.
      intros [[L S]|[[L S]|[S T]]].
      - rewrite (linear_zero p L), (square_zero p S). ring.
      - rewrite (linear_zero q L), (square_zero q S). ring.
      - rewrite (square_zero p S), (square_zero q T). ring.
    Qed.

    Notation computed := (compute R phi radd rsub rmul a).
    Notation all_computed := (compute_all R phi radd rsub rmul a).

    Lemma worth_compute (A : nat -> R) (B : nat -> poly) e :
      (forall c, A c = worth (B c)) -> fitting B e -> computed A e = worth (coefficients B e).
    Proof.
      intros H. induction e; cbn [compute fitting]; intros F.
      - apply H.
      - symmetry. apply worth_input. auto.
      - symmetry. apply worth_number.
      - destruct F. rewrite IHe1, IHe2, worth_plus by auto. reflexivity.
      - destruct F. rewrite IHe1, IHe2, worth_minus by auto. reflexivity.
      - destruct F as (F & G & T). rewrite IHe1, IHe2, worth_times by auto. reflexivity.
    Qed.

    Variable first : nat -> option J.

    (* Each cell is a polynomial in all inputs, of which the coefficients are what the program makes in their algebra: of each
       input, and of each product of two. *)
    Theorem quadratic p : (forall c j, first c = Some j -> In j js) ->
      all_fit p (begin poly p_number p_input first) ->
      forall c, all_computed p (begin R phi a first) c =
                worth (all_coefficients p (begin poly p_number p_input first) c).
    Proof.
      intros F. assert (forall c, begin R phi a first c = worth (begin poly p_number p_input first c)) as H.
      { intros c. unfold begin. destruct (first c) eqn:E.
        - symmetry. apply worth_input. eauto.
        - symmetry. apply worth_number. }
      revert H. generalize (begin R phi a first) (begin poly p_number p_input first). clear F first.
      induction p as [|s p IH]; cbn [all_fit]; intros A B H [] || intros A B H _; auto.
      intros c. cbn. apply IH; auto. intros k. unfold set. destruct (k =? fst s)%nat; auto.
      apply worth_compute; auto.
    Qed.

    (* A program that multiplies by numbers alone is affine: it is known by what it makes of inputs that are all 0, and of each unit
       vector. *)
    Theorem affine p : (forall c j, first c = Some j -> In j js) ->
      (forall s, In s p -> by_numbers (snd s)) ->
      forall c, all_computed p (begin R phi a first) c =
        radd (phi (integer of_zeros p (begin Z (fun z => z) of_zeros first) c))
             (total js (fun j => rmul
               (phi (integer (fun i => one_at i j) p (begin Z (fun z => z) (fun i => one_at i j) first) c -
                     integer of_zeros p (begin Z (fun z => z) of_zeros first) c)) (a j))).
    Proof.
      intros F E c.
      destruct (affine_run p (begin poly p_number p_input first) E) as (G & I & K & L).
      { intros k i j. unfold begin. destruct (first k); reflexivity. }
      rewrite quadratic by auto. unfold worth. rewrite square_zero by auto.
      assert (forall A, (forall k, A k = begin Z (fun z => z) of_zeros first k) ->
        c0 (all_coefficients p (begin poly p_number p_input first) c) = integer of_zeros p A c) as K'.
      { intros A H. apply K. intros k. rewrite H. unfold begin. destruct (first k); reflexivity. }
      rewrite <- (K' (begin Z (fun z => z) of_zeros first)) by auto.
      transitivity (radd (phi (c0 (all_coefficients p (begin poly p_number p_input first) c)))
        (linear (all_coefficients p (begin poly p_number p_input first) c))); [ring|].
      f_equal. apply total_same. intros j _. f_equal. f_equal.
      rewrite <- (L j (begin Z (fun z => z) (fun i => one_at i j) first)).
      - ring.
      - intros k. unfold begin. destruct (first k); reflexivity.
    Qed.

    (* It is enough to compare coefficients: of a product of two, those of both orders together. *)
    Definition squares l p :=
      total l (fun i => total l (fun j => rmul (phi (c2 p i j)) (rmul (a i) (a j)))).
    Lemma squares_cons x l p :
      squares (x :: l) p = radd (rmul (phi (c2 p x x)) (rmul (a x) (a x)))
        (radd (total l (fun j => rmul (phi (c2 p x j + c2 p j x)) (rmul (a x) (a j)))) (squares l p)).
    Proof.
      unfold squares. cbn [total]. rewrite total_plus.
      rewrite (total_same l (fun j => rmul (phi (c2 p x j + c2 p j x)) (rmul (a x) (a j)))
        (fun j => radd (rmul (phi (c2 p x j)) (rmul (a x) (a j)))
                       (rmul (phi (c2 p j x)) (rmul (a j) (a x)))))
        by (intros; rewrite phi_plus; ring).
      rewrite total_plus. ring.
    Qed.
    Theorem known_by_coefficients p q :
      c0 p = c0 q -> (forall j, c1 p j = c1 q j) ->
      (forall i j, c2 p i j + c2 p j i = c2 q i j + c2 q j i) -> worth p = worth q.
    Proof.
      intros Z L S. unfold worth. rewrite Z. f_equal. f_equal.
      - apply total_same. intros. rewrite L. reflexivity.
      - change (squares js p = squares js q). generalize js. intros l.
        induction l as [|x l IH]; auto. rewrite !squares_cons, IH.
        assert (c2 p x x = c2 q x x) as D by (specialize (S x x); lia). rewrite D.
        rewrite (total_same l (fun j => rmul (phi (c2 p x j + c2 p j x)) (rmul (a x) (a j)))
          (fun j => rmul (phi (c2 q x j + c2 q j x)) (rmul (a x) (a j))))
          by (intros; rewrite S; reflexivity).
        reflexivity.
    Qed.
  End Ring.
End Rings.

(* ---- rounding ---- *)

(* The height of what a cell holds: an addition is one more than the higher of both, and one to nothing is none. *)
Definition taller (x y : option nat) :=
  match x, y with
  | None, h | h, None => h
  | Some h, Some k => Some (S (Nat.max h k))
  end.

Section Rounding.
  Open Scope Q_scope.
  Variable J : Type.
  Variables (a : J -> Q) (u : Q) (plus : Q -> Q -> Q).
  Hypothesis u_positive : 0 <= u.
  (* Addition rounds to within u of the sum, and is exact where one side is nothing. *)
  Hypothesis rounds : forall x y, Qabs (plus x y - (x + y)) <= u * Qabs (x + y).
  Hypothesis exact_left : forall y, plus 0 y = y.
  Hypothesis exact_right : forall x, plus x 0 = x.

  Fixpoint growth h := match h with O => 1 | S h => (1 + u) * growth h end.

  Lemma growth_above_one h : 1 <= growth h.
  Proof. induction h; cbn; [lra | nra]. Qed.
  Lemma growth_monotone h k : (h <= k)%nat -> growth h <= growth k.
  Proof.
    induction 1 as [|k L IH]; [lra|]. cbn. pose proof (growth_above_one k). nra.
  Qed.

  (* What is computed (v) is near the exact sum (s), as m, the sum of the inputs' sizes, and the height tell. *)
  Definition near (h : option nat) (v s m : Q) :=
    match h with
    | None => v = 0 /\ s == 0 /\ m == 0
    | Some h => Qabs (v - s) <= (growth h - 1) * m /\ Qabs s <= m
    end.

  Lemma near_higher h k v s m : (h <= k)%nat -> near (Some h) v s m -> near (Some k) v s m.
  Proof.
    cbn [near]. intros L [N S]. split; auto. pose proof (growth_monotone h k L).
    pose proof (Qabs_nonneg s). nra.
  Qed.

  Lemma near_plus_same h v s m w t n : near (Some h) v s m -> near (Some h) w t n ->
    near (Some (S h)) (plus v w) (s + t) (m + n).
  Proof.
    cbn [near growth]. intros [V S] [W T].
    pose proof (growth_above_one h) as G. set (g := growth h) in *.
    pose proof (Qabs_nonneg s) as S0. pose proof (Qabs_nonneg t) as T0.
    assert (Qabs (v + w) <= g * (m + n)) as B.
    { apply Qabs_Qle_condition in V, W, S, T. apply Qabs_Qle_condition. split; lra. }
    pose proof (rounds v w) as R.
    assert (Qabs (plus v w - (v + w)) <= u * (g * (m + n))) as R' by nra.
    split.
    - apply Qabs_Qle_condition in V, W, R'. apply Qabs_Qle_condition. split; lra.
    - apply Qabs_Qle_condition in S, T. apply Qabs_Qle_condition. split; lra.
  Qed.

  Lemma near_equal h v s m s' m' : s == s' -> m == m' -> near h v s m -> near h v s' m'.
  Proof. intros S M. destruct h; cbn [near]; rewrite S, M; auto. Qed.

  Lemma near_plus h v s m k w t n : near h v s m -> near k w t n ->
    near (taller h k) (plus v w) (s + t) (m + n).
  Proof.
    destruct h as [h|], k as [k|]; cbn [taller].
    - intros V W. apply near_plus_same; [apply (near_higher h) | apply (near_higher k)]; auto; lia.
    - intros V (-> & T & N). rewrite exact_right.
      apply (near_equal _ _ s m); auto; rewrite ?T, ?N; lra.
    - intros (-> & S & M) W. rewrite exact_left.
      apply (near_equal _ _ t n); auto; rewrite ?S, ?M; lra.
    - intros (-> & S & M) (-> & T & N). rewrite exact_left.
      cbn [near]. rewrite S, M, T, N. repeat split; lra.
  Qed.

  (* An input is exact, or a product that was rounded once. *)
  Lemma near_load x : near (Some O) x x (Qabs x).
  Proof.
    cbn [near growth]. pose proof (Qabs_nonneg x). split; [|lra].
    apply Qabs_Qle_condition. split; lra.
  Qed.
  Lemma near_product x y v : Qabs (v - x * y) <= u * Qabs (x * y) ->
    near (Some 1%nat) v (x * y) (Qabs (x * y)).
  Proof.
    intros H. cbn [near growth]. pose proof (Qabs_nonneg (x * y)). split; [|lra].
    apply Qabs_Qle_condition in H. apply Qabs_Qle_condition. split; lra.
  Qed.

  Variable first : nat -> option J.
  Variables (height : J -> nat) (computed : J -> Q).
  Hypothesis inputs : forall j, near (Some (height j)) (computed j) (a j) (Qabs (a j)).

  (* A cell of height h is within ((1 + u)^h - 1) * (the sum of its inputs' sizes) of their exact sum. *)
  Theorem height_bounds_rounding p c :
    near (run J (option nat) None taller (fun j => Some (height j)) p
            (start J first None (fun j => Some (height j))) c)
         (run J Q 0 plus computed p (start J first 0 computed) c)
         (run J Q 0 Qplus a p (start J first 0 a) c)
         (run J Q 0 Qplus (fun j => Qabs (a j)) p (start J first 0 (fun j => Qabs (a j))) c).
  Proof.
    assert (near None 0 0 0) as N by (cbn [near]; repeat split; lra).
    enough (forall H V S M, (forall c, near (H c) (V c) (S c) (M c)) -> forall c,
      near (run J (option nat) None taller (fun j => Some (height j)) p H c)
           (run J Q 0 plus computed p V c)
           (run J Q 0 Qplus a p S c) (run J Q 0 Qplus (fun j => Qabs (a j)) p M c)) as G.
    { apply G. intros k. unfold start. destruct (first k); auto. }
    clear c. induction p as [|s p IH]; intros H V S M R c; [apply R|].
    apply (IH (step J _ None taller (fun j => Some (height j)) H s)
              (step J _ 0 plus computed V s)
              (step J _ 0 Qplus a S s) (step J _ 0 Qplus (fun j => Qabs (a j)) M s)).
    intros k. unfold step. destruct (k =? fst s)%nat; auto.
    induction (snd s); cbn [eval]; auto using near_plus.
  Qed.
End Rounding.

Print Assumptions race_free.
Print Assumptions lift.
Print Assumptions law.
Print Assumptions unit_of_pair.
Print Assumptions affine.
Print Assumptions quadratic.
Print Assumptions known_by_coefficients.
Print Assumptions height_bounds_rounding.
